import { afterEach, expect, test } from "vitest";
import { CheckFailure } from "../core/failure.ts";
import { readSse } from "../http/sse.ts";
import { adapterEnvironment } from "./adapter-environment.ts";
import { McpClient } from "./client.ts";
import type { RpcRequest, RpcResponse, Transport } from "./json-rpc.ts";
import { StdioServer } from "./stdio.ts";

const servers: StdioServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A server whose program is `script`. */
function serve(script: string): StdioServer {
  const server = new StdioServer({ command: process.execPath, args: ["-e", script] }, process.env, 200);
  servers.push(server);
  return server;
}

const ask = (id = 1): RpcRequest => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} });

const ECHO = `require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.method) console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { got: message.method } }));
  else console.error("answered " + line);
})`;

test("stdio: answers find their requests, whatever their order", async () => {
  const server = serve(ECHO);
  const answers = await Promise.all([server.request(ask(1)), server.request(ask(2))]);
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
});

test("stdio: a ping of the server's is answered, anything else it asks is refused", async () => {
  const server = serve(`console.log('{"jsonrpc":"2.0","id":"a","method":"ping"}');
    console.log('{"jsonrpc":"2.0","id":"b","method":"roots/list"}');${ECHO}`);
  await server.request(ask());
  await server.request(ask(2));
  await server.endInput(5000);
  expect(server.stderr).toContain('"id":"a","result":{}');
  expect(server.stderr).toContain('"id":"b","error":{"code":-32601');
});

test("stdio: a server that ends, does not start or prints something else is told as such", async () => {
  await expect(serve("process.exit(3)").request(ask())).rejects.toMatchObject({ got: "it ended with 3" });
  const missing = new StdioServer({ command: "/no/such/program", args: [] }, process.env);
  await expect(missing.request(ask())).rejects.toMatchObject({ got: expect.stringContaining("could not be started") });
  const chatty = serve(`console.log("Welcome!"); setInterval(() => {}, 1000)`);
  await expect(chatty.request(ask())).rejects.toMatchObject({ got: expect.stringContaining("no JSON: Welcome!") });
});

test("stdio: closing ends a server that does not want to", async () => {
  const server = serve(
    `process.on("SIGTERM", () => console.error("no")); process.stdin.resume(); setInterval(() => {}, 1000)`,
  );
  await server.close();
  await expect(server.request(ask())).rejects.toThrow(CheckFailure);
});

/** A transport that answers every request with `result`. */
function answering(result: Record<string, unknown>): Transport {
  return {
    request: async ({ id }: RpcRequest): Promise<RpcResponse> => ({ jsonrpc: "2.0", id, result }),
    notify: async () => {},
    agreed: () => {},
  };
}

test("a tool error is a failure, or what was expected", async () => {
  const failing = new McpClient(answering({ isError: true, content: [{ type: "text", text: "CONFLICT: blocked" }] }));
  await failing.callRefused("claim_task", { taskId: "t" });
  await expect(failing.call("claim_task", { taskId: "t" })).rejects.toMatchObject({
    request: { method: "MCP", path: "tools/call claim_task", body: { taskId: "t" } },
    got: { isError: true, text: "CONFLICT: blocked" },
  });
  const fine = new McpClient(answering({ content: [], structuredContent: { ok: 1 } }));
  expect(await fine.call("list_tasks", {})).toEqual({ ok: 1 });
  await expect(fine.callRefused("list_tasks", {})).rejects.toMatchObject({ got: { ok: 1 } });
  const textOnly = new McpClient(answering({ content: [{ type: "text", text: "{}" }] }));
  await expect(textOnly.call("list_tasks", {})).rejects.toMatchObject({ expected: "structuredContent" });
});

test("a list of tools without end is a failure", async () => {
  const client = new McpClient(answering({ tools: [], nextCursor: "again" }));
  await expect(client.listTools()).rejects.toThrow("no end");
});

test("an adapter's environment has its identity and no owner's credential", () => {
  const env = {
    PATH: "/bin",
    HIDDEN: "prefix the-admin-token suffix",
    OCTOBER_BUS_ADMIN_TOKEN: "another",
    OCTOBER_BUS_AGENT_ID: "somebody",
    AGENT_INTERCOM_AGENT_TOKEN: "mine",
  };
  const identity = { OCTOBER_BUS_AGENT_ID: "worker" };
  expect(adapterEnvironment(env, ["the-admin-token"], identity)).toEqual({
    PATH: "/bin",
    OCTOBER_BUS_AGENT_ID: "worker",
  });
});

test("events of a stream are read across chunks, comments passed over", async () => {
  const chunks = [": hello\n\nid: 1\nda", "ta: a\ndata: b\n", "\nevent: resync\r\ndata:c\r\n\r\nid: 2\n\n"];
  const body = new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const messages = [];
  for await (const message of readSse(new Response(body))) messages.push(message);
  expect(messages).toEqual([
    { id: "1", event: "message", data: "a\nb" },
    { id: undefined, event: "resync", data: "c" },
  ]);
});
