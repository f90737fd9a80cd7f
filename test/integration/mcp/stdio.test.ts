import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, test } from "vitest";
import type { Agent } from "../../../protocol/index.ts";
import type { ListedTool } from "../../support/mcp.ts";
import { useStdioClients } from "../../support/stdio-clients.ts";
import { until } from "../../support/waiting.ts";
import { lintTools } from "./schema-linter.ts";
import { SET_TABLES } from "./tool-tables.ts";

const home = useStdioClients();

async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(JSON.stringify(result.content));
  return result.structuredContent as Record<string, unknown>;
}

const agents = (): Promise<Agent[]> => home().scope.listAgents();

/** How a client comes to a set of tools, where a launcher has made its agent. */
const WAYS = [
  { set: "team", prefix: "AGENT_INTERCOM", args: [] },
  { set: "intercom", prefix: "AGENT_INTERCOM", args: ["--tools", "intercom"] },
  { set: "bus", prefix: "OCTOBER_BUS", args: [] },
] as const;

test.each(WAYS)(
  "offers the tools of $set to who was set up with $prefix variables, in a form every client takes",
  async ({ set, prefix, args }) => {
    await home().cli.run(["start"]);
    await home().cli.admin().createScope({ id: "launched" });
    const { agentToken } = await home()
      .cli.admin()
      .scope("launched")
      .registerAgent({ id: "given", displayName: "given" });
    const env = { [`${prefix}_ADDRESS`]: home().cli.runFile().address, [`${prefix}_AGENT_TOKEN`]: agentToken };
    const client = await home().open(args, env);
    const tools = (await client.listTools()).tools as ListedTool[];
    expect(tools.map(({ name }) => name)).toEqual(
      SET_TABLES.find((each) => each.set === set)?.tools.map(([name]) => name),
    );
    expect(lintTools(client.getServerVersion()?.name ?? "", tools)).toEqual([]);
    expect(client.getInstructions()?.length).toBeLessThan(1900);
  },
);

describe("the front on standard input and output", () => {
  test("starts a daemon, and two windows in one project are two agents who find each other and talk", async () => {
    const deep = join(home().folder, "src");
    mkdirSync(deep);
    const [one, two] = await Promise.all([
      home().open(["--client", "claude-code"]),
      home().open(["--client", "claude-code"], {}, deep),
    ]);
    expect((await one.listTools()).tools).toHaveLength(16);
    const names = (await agents()).map(({ id }) => id).sort();
    expect(names).toEqual(["claude-code", "claude-code-2"]);
    const me = await call(one, "whoami");
    const others = (await call(one, "list_agents")).agents as Agent[];
    expect(others.map(({ id }) => id)).toEqual(names.filter((id) => id !== me.agentId));
    const { messageId } = await call(one, "send_message", { to: others[0]?.id, text: "hello" });
    const { messages } = await call(two, "check_inbox", { waitMs: 5000 });
    expect(messages).toMatchObject([{ id: messageId, body: "hello", from: me.agentId }]);
    expect(await call(two, "acknowledge_messages", { messageIds: [messageId] })).toMatchObject({ acknowledged: 1 });
  });

  test("says which program it is, and is gone when its client is, with its inbox left for the next", async () => {
    const first = await home().open();
    await first.listTools();
    expect(await agents()).toMatchObject([
      {
        id: "Some-Client",
        reachable: true,
        metadata: { harness: "Some Client", harnessVersion: "1.2.3", cwd: home().folder },
      },
    ]);
    await first.close();
    await until("the agent is gone", async () => (await agents())[0]?.reachable === false);
    await home().scope.sendHumanMessage({ to: "Some-Client", body: "for later" });
    const second = await home().open();
    expect((await call(second, "check_inbox")).messages).toMatchObject([{ body: "for later" }]);
  });

  test("goes on after the daemon was killed, as the same agent, with the daemon started again", async () => {
    const client = await home().open(["--name", "worker", "--scope", "named"]);
    await call(client, "add_task", { title: "before" });
    await home().killDaemon();
    const { tasks } = await call(client, "list_tasks");
    expect(tasks).toMatchObject([{ title: "before", status: "open" }]);
    expect(await call(client, "whoami")).toMatchObject({ agentId: "worker", scope: "named" });
    expect(await home().cli.admin().scope("named").listAgents()).toHaveLength(1);
  });

  test("with a profile is an agent of its connector, gives the same session its agent back, and hands on its tools", async () => {
    await home().cli.run(["start"]);
    await home().cli.admin().createScope({ id: "shop", linkPolicy: "open" });
    const owner = home().cli.admin().scope("shop");
    const made = await home().cli.run(["connector", "create", "claude", "--tools", "bus", "--save", "--scope", "shop"]);
    expect(made.code).toBe(0);
    const session = { CLAUDE_CODE_SESSION_ID: "session-1" };
    const one = await home().open(["--profile", "claude"], session);
    const two = await home().open([], { AGENT_INTERCOM_PROFILE: "claude" });
    expect((await one.listTools()).tools).toHaveLength(15);
    expect((await call(one, "get_node_status")).identity).toMatchObject({ agentId: "claude", scopeId: "shop" });
    expect((await call(two, "get_node_status")).identity).toMatchObject({ agentId: "claude-2" });
    expect((await owner.getAgent({ agentId: "claude" })).metadata).toMatchObject({ sessionId: "session-1" });

    const { id } = await owner.addTask({ title: "through a restart" });
    await call(one, "claim_task", { taskId: id });
    await home().killDaemon();
    await call(one, "complete_task", { taskId: id });

    await call(two, "list_tasks");

    await two.close();
    await one.close();
    await until("both are gone", async () =>
      (await home().cli.admin().scope("shop").listAgents()).every((a) => !a.reachable),
    );
    const again = home().cli.admin().scope("shop");
    await again.sendHumanMessage({ to: "claude-2", body: "for later" });
    const next = await home().open(["--profile", "claude"]);
    const resumed = await home().open(["--profile", "claude"], session);
    // The name was free for whoever came first; the session that comes back has to take the next one.
    expect((await call(next, "get_node_status")).identity).toMatchObject({ agentId: "claude" });
    expect((await call(resumed, "get_node_status")).identity).toMatchObject({ agentId: "claude-2" });
    expect((await call(resumed, "check_inbox")).messages).toMatchObject([{ body: "for later" }]);
    await resumed.close();
    await until("it is gone", async () => !(await again.getAgent({ agentId: "claude-2" })).reachable);
    const back = await home().open(["--profile", "claude"], session);
    expect((await call(back, "get_node_status")).identity).toMatchObject({ agentId: "claude-2" });

    const [connector] = await again.listConnectors();
    await again.revokeConnector({ connectorId: connector?.id ?? "" });
    const refused = await back.callTool({ name: "list_tasks", arguments: {} });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/connector credential/i) }],
    });
  }, 40_000);

  test("with a profile that is not there a call says how to make it", async () => {
    const client = home().open(["--profile", "nobody", "--no-start"]);
    await expect(client).rejects.toThrow(/There is no profile nobody/);
  });

  test("gives a session that is resumed its agent back without any profile", async () => {
    const session = { CLAUDE_CODE_SESSION_ID: "session-2" };
    const first = await home().open(["--name", "worker"]);
    const second = await home().open(["--name", "worker"], session);
    expect(await call(second, "whoami")).toMatchObject({ agentId: "worker-2" });
    await second.close();
    await first.close();
    await until("both are gone", async () => (await agents()).every(({ reachable }) => !reachable));
    const resumed = await home().open(["--name", "worker", "--tools", "bus"], session);
    expect((await call(resumed, "get_node_status")).identity).toMatchObject({ agentId: "worker-2" });
  });

  test("is the agent a launcher has made, and says so when that one is over", async () => {
    await home().cli.run(["start"]);
    const { scopeToken } = await home().cli.admin().createScope({ id: "launched" });
    expect(scopeToken).toBeDefined();
    const scope = home().cli.admin().scope("launched");
    const env = await home().cli.agentShell(scope, "given");
    const client = await home().open([], env);
    expect(await call(client, "whoami")).toMatchObject({ agentId: "given", scope: "launched" });
    await scope.registerAgent({ id: "given", displayName: "given" });
    const refused = await client.callTool({ name: "list_tasks", arguments: {} });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("no longer current") }] });
  });

  test("without a daemon and without leave to start one, a call says what to do", async () => {
    const child = home().cli.spawn(["mcp", "--no-start"]);
    const lines: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => lines.push(text));
    const frames = [
      "not json",
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_agents", arguments: {} } }),
      JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" }),
    ];
    child.stdin?.write(`${frames.join("\n")}\n`);
    await until("three answers", () => lines.join("").trim().split("\n").length === 3);
    child.stdin?.end();
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(0);
    const answers = lines
      .join("")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown });
    const byId = Object.fromEntries(answers.map((answer) => [String(answer.id), answer]));
    expect(byId.null).toMatchObject({ error: { code: -32700 } });
    expect(byId[1]).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("agent-intercom start") }] },
    });
    expect(byId[2]).toMatchObject({ error: { message: expect.stringContaining("agent-intercom start") } });
  });
});
