import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectScopeId } from "../../../cli/mcp-front/project-scope.ts";
import { isProcessAlive } from "../../../daemon/runtime/process-info.ts";
import { CliHome, MAIN } from "../../support/cli.ts";
import { until } from "../../support/waiting.ts";

/** What a client over stdio gets besides answers: questions, news and signs of life. */

let cli: CliHome;
let folder: string;
let clients: Client[];

beforeEach(() => {
  cli = new CliHome();
  clients = [];
  folder = join(cli.home, "shop");
  mkdirSync(join(folder, ".git"), { recursive: true });
});
afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await cli.close();
});

async function open(): Promise<Client> {
  const client = new Client({ name: "Some Client", version: "1.2.3" }, { capabilities: { elicitation: {} } });
  clients.push(client);
  const defined = Object.entries(cli.environment()).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const env = Object.fromEntries(defined);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN, "mcp"], env, cwd: folder }));
  return client;
}

async function killDaemon(): Promise<void> {
  const { pid } = cli.runFile();
  process.kill(pid, "SIGKILL");
  await until("the daemon is dead", () => !isProcessAlive(pid));
}

const scope = () => cli.admin().scope(projectScopeId(folder));

test("its user is asked, also after the daemon was killed", async () => {
  const client = await open();
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: { answer: "red" } }));
  for (const round of [1, 2]) {
    if (round === 2) await killDaemon();
    const args = { question: `Blue or red, ${round}?`, options: ["blue", "red"], waitMs: 20_000 };
    if (round === 2) await client.callTool({ name: "whoami", arguments: {} });
    const { structuredContent } = await client.callTool({ name: "ask_human", arguments: args });
    expect(structuredContent).toMatchObject({ status: "resolved", answer: "red" });
  }
  expect(await scope().listEscalations()).toHaveLength(2);
});

test("it hears of changes it has subscribed to, also after the daemon was killed", async () => {
  const client = await open();
  let heard: string[] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    heard.push(params.uri);
  });
  await client.subscribeResource({ uri: "intercom://tasks" });
  // The stream for news opens beside the calls, so it may be a moment later than the first of them.
  await until("news come", async () => {
    await scope().addTask({ title: "Paint it" });
    return heard.includes("intercom://tasks");
  });
  await killDaemon();
  await client.callTool({ name: "whoami", arguments: {} });
  heard = [];
  await until(
    "news come again",
    async () => {
      await scope().addTask({ title: "Paint it again" });
      return heard.includes("intercom://tasks");
    },
    15_000,
  );
});

test("it hears that a call is alive", async () => {
  const client = await open();
  const signs: number[] = [];
  const call = client.callTool({ name: "check_inbox", arguments: { waitMs: 20_000 } }, undefined, {
    onprogress: ({ progress }) => void signs.push(progress),
  });
  await until("a sign of life", () => signs.length > 0);
  const [agent] = await scope().listAgents();
  await scope().sendHumanMessage({ to: agent?.id ?? "", body: "hello" });
  expect((await call).structuredContent).toMatchObject({ messages: [{ body: "hello" }] });
});
