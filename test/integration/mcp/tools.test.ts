import { describe, expect, test } from "vitest";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { MCP_CLIENTS } from "../../support/mcp.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
const BUS = "?tools=bus";

interface World {
  readonly scope: ScopeActor;
  readonly ada: AgentActor;
  readonly bob: AgentActor;
  /** Calls a tool as ada; it must succeed, and its text must say the same as its structured content. */
  call(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
}

interface Story {
  readonly title: string;
  /** Tools it calls. */
  readonly covers: readonly string[];
  readonly run: (world: World) => Promise<void>;
}

const stories: readonly Story[] = [
  {
    title: "identity and peers",
    covers: ["get_node_status", "list_peers"],
    run: async ({ ada, call }) => {
      expect(await call("get_node_status")).toEqual(await ada.call("whoAmI", {}));
      expect(await call("list_peers")).toEqual({ peers: await ada.call("listPeers", {}) });
    },
  },
  {
    title: "sending, and following what becomes of it",
    covers: ["message_peer", "message_receipt"],
    run: async ({ bob, call }) => {
      const context = [{ kind: "text", title: "why", text: "because" }];
      const sent = await call("message_peer", { peer: "bob", message: "hello", context, idempotencyKey: "once" });
      expect(sent).toMatchObject({ state: "queued", recipient: { reachable: true } });
      const again = await call("message_peer", { peer: "BOB", message: "hello", context, idempotencyKey: "once" });
      expect(again.messageId).toBe(sent.messageId);
      const [message] = await bob.drain();
      expect(message).toMatchObject({ id: sent.messageId, from: "ada", body: "hello", mode: "notify", context });
      expect(await call("message_receipt", { messageId: sent.messageId })).toMatchObject({ state: "acknowledged" });
    },
  },
  {
    title: "receiving, acknowledging and answering",
    covers: ["acknowledge_messages", "check_inbox", "message_peer"],
    run: async ({ bob, call }) => {
      expect(await call("check_inbox")).toEqual({ messages: [] });
      const request = await bob.tell("ada", { body: "what time is it?", mode: "request" });
      const inbox = await call("check_inbox", { limit: 10, waitMs: 0 });
      expect(inbox).toMatchObject({
        messages: [{ id: request, body: "what time is it?", state: "delivered" }],
        acknowledgement: expect.stringContaining("acknowledge_messages"),
      });
      expect(await call("acknowledge_messages", { messageIds: [request] })).toEqual({ acknowledged: 1 });
      const args = { peer: "bob", message: "noon", mode: "response", responseTo: request };
      const { messageId } = await call("message_peer", args);
      expect(await bob.call("getReceipt", { messageId: request })).toMatchObject({ responseMessageId: messageId });
    },
  },
  {
    title: "answering the human",
    covers: ["check_inbox", "message_peer"],
    run: async ({ scope, call }) => {
      const input = { to: "ada", body: "Done?", mode: "request" } as const;
      const { messageId: request } = await scope.call("sendHumanMessage", input);
      await call("check_inbox");
      await call("message_peer", { peer: "human", message: "Yes.", mode: "response", responseTo: request });
      const { messages } = await scope.call("listMessages", { agent: "ada", peerKind: "human" });
      expect(messages.map(({ body }) => body)).toContain("Yes.");
    },
  },
  {
    title: "a task from its beginning to its end",
    covers: [
      "add_task",
      "add_task_progress",
      "claim_task",
      "complete_task",
      "list_task_progress",
      "list_tasks",
      "release_task",
    ],
    run: async ({ call }) => {
      const first = await call("add_task", { title: "first", description: "the one before" });
      const second = await call("add_task", { title: "second", dependencies: [first.id] });
      expect(await call("list_tasks", { ready: true })).toMatchObject({ tasks: [{ id: first.id }] });
      const taskId = first.id;
      expect(await call("claim_task", { taskId })).toMatchObject({ status: "claimed", claimedBy: "ada" });
      expect(await call("release_task", { taskId })).toMatchObject({ status: "open" });
      await call("claim_task", { taskId });
      const entry = await call("add_task_progress", { taskId, kind: "note", text: "half way" });
      expect(entry).toMatchObject({ sequence: 1, agentId: "ada", text: "half way" });
      expect(await call("list_task_progress", { taskId })).toEqual({ progress: [entry] });
      const done = await call("complete_task", { taskId, note: "it works" });
      expect(done).toMatchObject({ status: "done", note: "it works" });
      const { tasks } = (await call("list_tasks")) as { tasks: { id: string; ready: boolean }[] };
      expect(tasks.map(({ id, ready }) => [id, ready])).toEqual([
        [first.id, false],
        [second.id, true],
      ]);
    },
  },
  {
    title: "a question to the human",
    covers: ["ask_user", "check_inbox"],
    run: async ({ scope, call }) => {
      const asked = await call("ask_user", { question: "Ship it?", options: ["yes", "no"] });
      expect(asked).toMatchObject({ status: "pending", kind: "choice", options: ["yes", "no"] });
      expect(await scope.call("listEscalations", {})).toMatchObject([{ id: asked.id, agentId: "ada" }]);
      await scope.call("resolveEscalation", { escalationId: asked.id as string, answer: "yes" });
      expect(await call("check_inbox")).toMatchObject({ messages: [{ about: { kind: "escalation", id: asked.id } }] });
    },
  },
  {
    title: "an output",
    covers: ["publish_output"],
    run: async ({ scope, call }) => {
      const stream = await scope.call("createOutputStream", { name: "status", publisherAgentIds: ["ada"] });
      const args = { streamId: stream.id, contentType: "application/json", value: { built: true } };
      const first = await call("publish_output", args);
      expect(first).toMatchObject({ sequence: 1, producerId: "ada", value: { built: true } });
      const reference = { uri: "https://example.com/log", title: "the log" };
      const text = await call("publish_output", { ...args, contentType: "text/plain", value: "[1]", reference });
      expect(text).toMatchObject({ sequence: 2, value: "[1]", reference });
    },
  },
];

test("there is a story for every tool", async () => {
  const [{ connect }] = MCP_CLIENTS as [(typeof MCP_CLIENTS)[number]];
  const client = await connect(intercom().address, (await (await intercom().scope()).agent("ada")).token, BUS);
  const names = (await client.tools()).map(({ name }) => name);
  await client.close();
  expect([...new Set(stories.flatMap(({ covers }) => covers))].sort()).toEqual(names.sort());
});

describe.each(MCP_CLIENTS)("with $make", ({ connect }) => {
  test.each(stories)("$title", async ({ covers, run }) => {
    const scope = await intercom().scope();
    const [ada, bob] = await scope.agents("ada", "bob");
    const client = await connect(intercom().address, ada.token, BUS);
    // From now on the client checks every answer against the schemas it was given.
    await client.tools();
    const called = new Set<string>();
    const call: World["call"] = async (name, args) => {
      called.add(name);
      const answer = await client.call(name, args);
      expect(answer.isError, answer.text).toBe(false);
      expect(JSON.parse(answer.text)).toEqual(answer.structured);
      return answer.structured;
    };
    await run({ scope, ada, bob, call });
    await client.close();
    expect([...called].sort()).toEqual(covers);
  });
});

describe.each(MCP_CLIENTS)("with $make, lists and objects that come as JSON text", ({ connect }) => {
  test("are taken for what they are", async () => {
    const scope = await intercom().scope();
    const [ada, bob] = await scope.agents("ada", "bob");
    const client = await connect(intercom().address, ada.token, BUS);
    const context = [{ kind: "text", title: "[not a list]", text: '{"neither":true}' }];
    const sent = await client.call("message_peer", {
      peer: "bob",
      message: '["stays text"]',
      context: JSON.stringify(context),
    });
    expect(sent.isError, sent.text).toBe(false);
    expect(await bob.pull()).toMatchObject([{ body: '["stays text"]', context }]);

    const messageIds = [await bob.tell("ada"), await bob.tell("ada")];
    await client.call("check_inbox");
    const acknowledged = await client.call("acknowledge_messages", { messageIds: JSON.stringify(messageIds) });
    expect(acknowledged.structured).toEqual({ acknowledged: 2 });

    const stream = await scope.call("createOutputStream", { name: "status", publisherAgentIds: ["ada"] });
    const published = await client.call("publish_output", {
      streamId: stream.id,
      contentType: "text/plain",
      value: '{"stays":"text"}',
      reference: '{"uri":"https://example.com/"}',
    });
    expect(published.structured).toMatchObject({
      value: '{"stays":"text"}',
      reference: { uri: "https://example.com/" },
    });

    const wrong = await client.call("acknowledge_messages", { messageIds: '{"a":1}' });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("messageIds: expected a list") });
    await client.close();
  });
});
