import { describe, expect, test } from "vitest";
import { callTool, ERAS, MCP_CLIENTS, rpc } from "../../support/mcp.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { Guest, guestAddress } from "./guest.ts";
import { problemsOf } from "./shapes-0.1.ts";

const daemon = useDaemon({ octoberBusPort: 0 });

async function pair() {
  const scope = await daemon().scope();
  const owner = new Guest(daemon(), scope.token);
  const [alice, bob] = await scope.agents("alice", "bob");
  return { scope, owner, alice, bob, address: guestAddress(daemon()) };
}

describe.each(MCP_CLIENTS)("$make", ({ connect, version }) => {
  test("finds a server called october-bus with its 15 tools, and their results as in 0.1", async () => {
    const { scope, owner, alice, bob, address } = await pair();
    const client = await connect(address, alice.token);
    try {
      expect(client.protocolVersion).toBe(version);
      expect(client.serverInfo?.name).toBe("october-bus");
      const tools = await client.tools();
      expect(tools).toHaveLength(15);
      // Clients check results by these, and they are those of the table.
      expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);

      const { structured: peers } = await client.call("list_peers");
      expect(problemsOf("Agent[]", peers.peers)).toEqual([]);
      expect(peers.peers).toMatchObject([{ id: "bob" }]);
      const { structured: status } = await client.call("get_node_status");
      expect(problemsOf("NodeStatus", status)).toEqual([]);
      const { structured: receipt } = await client.call("message_peer", { peer: "Bob", message: "Hello" });
      expect(problemsOf("Receipt", receipt)).toEqual([]);
      const { structured: task } = await client.call("add_task", { title: "Write" });
      expect(problemsOf("Task", task)).toEqual([]);
      const { structured: question } = await client.call("ask_user", { question: "Well?" });
      expect(problemsOf("Escalation", question)).toEqual([]);

      await scope.call("sendHumanMessage", { to: "alice", body: "How far?" });
      await bob.tell(alice, { body: "Hi" });
      const { structured: inbox } = await client.call("check_inbox", { limit: 10 });
      expect(Object.keys(inbox).sort()).toEqual(["acknowledgement", "messages"]);
      expect(problemsOf("Message[]", inbox.messages)).toEqual([]);
      expect(inbox.messages).toMatchObject([{ from: "human", fromKind: "agent" }, { from: "bob" }]);
      await owner.call("listTasks", {});
    } finally {
      await client.close();
    }
  });
});

describe.each(ERAS)("arguments, %s", (era) => {
  test("that are empty or null count as absent", async () => {
    const { alice, bob, address } = await pair();
    const call = (name: string, args: Record<string, unknown>) =>
      callTool(address, era, name, args, { token: alice.token });
    const empty = { mode: "", responseTo: null, idempotencyKey: "", expiresInMs: null, context: null };
    expect(await call("message_peer", { peer: "bob", message: "Hello", ...empty })).toMatchObject({ isError: false });
    expect(await bob.pull()).toMatchObject([{ body: "Hello", mode: "notify" }]);
    const { structured } = await call("add_task", { title: "Write", description: null, dependencies: "" });
    expect(structured).toMatchObject({ title: "Write", dependencies: [] });
    expect(await call("list_tasks", { ready: null })).toMatchObject({ structured: { tasks: [{ title: "Write" }] } });
    // All tasks, ready ones too.
    expect(await call("list_tasks", { ready: false })).toMatchObject({ structured: { tasks: [{ title: "Write" }] } });
    const claimed = await call("claim_task", { taskId: structured.id });
    expect(claimed.structured).toMatchObject({ status: "claimed" });
    expect(await call("complete_task", { taskId: structured.id, note: "" })).toMatchObject({ isError: false });
    expect(await call("add_task", { title: null })).toMatchObject({ isError: true });
  });
});

test("the other listener speaks of itself as before", async () => {
  const { alice } = await pair();
  const client = await MCP_CLIENTS[0]?.connect(daemon().address, alice.token, "?tools=bus");
  try {
    expect(client?.serverInfo?.name).toBe("agent-intercom");
    const tools = (await client?.tools()) ?? [];
    expect(tools.filter(({ outputSchema }) => !outputSchema)).toEqual([]);
    const answer = await client?.call("add_task", { title: "Write", description: null });
    expect(answer).toMatchObject({ isError: true });
  } finally {
    await client?.close();
  }
});

test("has no other tools than those of 0.1, while the other listener offers its own first", async () => {
  const { alice, address } = await pair();
  const list = async (at: string, query: string) =>
    rpc(at, "2026-07-28", "tools/list", {}, { token: alice.token, query });
  for (const query of ["?tools=team", "?tools=intercom"]) {
    expect(await list(address, query)).toMatchObject({ status: 400, body: { error: { code: "INVALID_ARGUMENT" } } });
  }
  const ours = (await list(daemon().address, "")).body as { result: { tools: { name: string }[] } };
  expect(ours.result.tools.map(({ name }) => name)).toContain("whoami");
});

test("without an agent's token there are no tools", async () => {
  const { owner, address } = await pair();
  for (const token of [undefined, owner.token]) {
    expect((await rpc(address, "2026-07-28", "tools/list", {}, { token })).status).toBe(401);
  }
});
