import type { HttpConnection } from "./lib/http-connection.ts";
import { openMcpSession } from "./lib/mcp-session.ts";
import { type Next, perSecond } from "./lib/per-second.ts";
import type { Row } from "./lib/report.ts";
import { median } from "./lib/statistics.ts";
import { type Agent, freshDirectory, makeTeam, openConnections, type Subject, startSubject } from "./lib/subject.ts";

const IN_FLIGHT = 16;
const ROUNDS = 5;
const SESSIONS = 500;
const VERSION = "2026-07-28";

/** A call of a tool as a client of the newest revision makes it. */
function toolCall(name: string, args: object): { readonly body: string; readonly headers: string } {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  };
  return {
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta } }),
    headers:
      "Accept: application/json, text/event-stream\r\n" +
      `MCP-Protocol-Version: ${VERSION}\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\n`,
  };
}

/**
 * Calls per second through `/mcp` against the same operation over plain HTTP, of the tools that are one operation: one
 * that reads, and one that writes.
 */
async function calls(subject: Subject, seconds: number): Promise<Row[]> {
  const connections = await openConnections(subject.address, IN_FLIGHT);
  const [first] = connections;
  const team = await makeTeam(first as HttpConnection, subject.adminToken, IN_FLIGHT / 2);
  const agents: Agent[] = team.flatMap(({ sender, receiver }) => [sender, receiver]);
  let said = 0;
  // Saying the same again would write nothing.
  const another = () => ({ summary: `painting wall ${said++}` });
  const call =
    (method: string, path: string, request: () => { readonly body: string; readonly headers?: string }): Next =>
    async (connection, index) => {
      const token = (agents[index] as Agent).token;
      const answer = await connection.send(connection.encode(method, path, { token, ...request() }));
      if (answer.status !== 200 || answer.body.includes('"isError":true')) throw new Error(answer.body);
    };
  const ways = {
    reading: call("GET", "/v1/me", () => ({ body: "" })),
    readingByTool: call("POST", "/mcp?tools=bus", () => toolCall("get_node_status", {})),
    writing: call("PATCH", "/v1/me", () => ({ body: JSON.stringify(another()) })),
    writingByTool: call("POST", "/mcp", () => toolCall("set_summary", another())),
  };
  const measure = async (way: keyof typeof ways) => perSecond(seconds / 2, connections, ways[way]);
  for (const way of Object.keys(ways)) await measure(way as keyof typeof ways);
  const reading: { plain: number; tool: number }[] = [];
  const writing: { plain: number; tool: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    reading.push({ plain: await measure("reading"), tool: await measure("readingByTool") });
    writing.push({ plain: await measure("writing"), tool: await measure("writingByTool") });
  }
  for (const connection of connections) connection.close();
  const note = `${VERSION}, keep-alive, ${IN_FLIGHT} in flight`;
  const target = { atLeast: 0.35 };
  return [
    { what: "MCP calls that read", value: median(reading.map(({ tool }) => tool)), unit: "/s", note },
    { what: "same / plain HTTP", value: median(reading.map(({ tool, plain }) => tool / plain)), unit: "", target },
    { what: "MCP calls that write", value: median(writing.map(({ tool }) => tool)), unit: "/s", note },
    { what: "same / plain HTTP", value: median(writing.map(({ tool, plain }) => tool / plain)), unit: "", target },
  ];
}

/** What open sessions cost that listen and have subscribed, while nothing happens. */
async function idle(subject: Subject, seconds: number): Promise<Row[]> {
  const [connection] = await openConnections(subject.address, 1);
  const team = await makeTeam(connection as HttpConnection, subject.adminToken, SESSIONS / 2);
  connection?.close();
  const agents = team.flatMap(({ sender, receiver }) => [sender, receiver]);
  const before = await subject.ask<Usage>("memory");
  const sessions = [];
  for (const { token } of agents) {
    const session = await openMcpSession(subject.address, token);
    await session.subscribe("intercom://inbox");
    sessions.push(session);
  }
  const after = await subject.ask<Usage>("memory");
  const begin = performance.now();
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const later = await subject.ask<Usage>("memory");
  const elapsedMs = performance.now() - begin;
  for (const session of sessions) session.close();
  const note = `${SESSIONS} sessions of 2025-11-25, each listening to one subscription`;
  return [
    { what: "MCP sessions, heap each", value: ((after.heapMb - before.heapMb) / SESSIONS) * 1000, unit: "KB", note },
    { what: "same, memory of the process", value: after.rssMb - before.rssMb, unit: "MB", note },
    {
      what: "same, idle CPU",
      value: ((later.cpuMs - after.cpuMs) / elapsedMs) * 100,
      unit: "%",
      target: { atMost: 3 },
      note,
    },
  ];
}

interface Usage {
  readonly heapMb: number;
  readonly rssMb: number;
  readonly cpuMs: number;
}

export async function mcp(seconds: number): Promise<Row[]> {
  const directory = freshDirectory();
  const subject = await startSubject(directory.path);
  try {
    return [...(await calls(subject, seconds)), ...(await idle(subject, seconds * 5))];
  } finally {
    await subject.stop();
    directory.remove();
  }
}
