import { describe, expect, test } from "vitest";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

describe("the human writes to an agent", () => {
  test("without a link", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    let id = "";
    const events = await scope.eventsOf(async () => {
      const receipt = await scope.call("sendHumanMessage", { to: "a", body: "please stop" });
      expect(receipt).toMatchObject({ state: "queued", recipient: { reachable: true } });
      id = receipt.messageId;
    });
    expect(events).toEqual([
      [
        "message.accepted",
        id,
        {
          from: "human",
          fromKind: "human",
          to: "a",
          toKind: "agent",
          mode: "notify",
          state: "queued",
          actor: "scope",
        },
      ],
    ]);
    expect(await a.pull()).toMatchObject([{ id, from: "human", fromKind: "human", body: "please stop" }]);
    expect(await scope.refused("sendHumanMessage", { to: "nobody", body: "b" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("and gets an answer to a request", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { messageId } = await scope.call("sendHumanMessage", { to: "a", body: "how far?", mode: "request" });
    await a.drain();
    const response = await a.tell("human", { mode: "response", responseTo: messageId, body: "half way" });
    expect(await scope.call("getMessage", { messageId })).toMatchObject({ responseMessageId: response });
    expect(await scope.call("getMessage", { messageId: response })).toMatchObject({
      to: "human",
      toKind: "human",
      state: "delivered",
      body: "half way",
    });
    const again = { to: "human", mode: "response", responseTo: messageId, body: "b" };
    expect(await a.refused("sendMessage", again)).toMatchObject({ code: "CONFLICT" });
  });
});

describe("an agent writes to the human", () => {
  test("and the note is there to be read", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    let id = "";
    const sent = await scope.eventsOf(async () => {
      id = await a.tell("human", { toKind: "human", body: "done" });
    });
    const parties = { from: "a", to: "human", mode: "notify" };
    expect(sent).toEqual([
      ["message.accepted", id, { ...parties, fromKind: "agent", toKind: "human", state: "delivered" }],
    ]);
    expect(await a.call("getReceipt", { messageId: id })).toMatchObject({ state: "delivered" });
    const read = await scope.eventsOf(async () => {
      expect(await scope.call("acknowledgeHumanMessages", { messageIds: [id, id] })).toEqual({ acknowledged: 1 });
      expect(await scope.call("acknowledgeHumanMessages", { messageIds: [id] })).toEqual({ acknowledged: 0 });
    });
    expect(read).toEqual([["message.acknowledged", id, { ...parties, state: "acknowledged", actor: "scope" }]]);
    expect(await a.call("getReceipt", { messageId: id })).toMatchObject({ state: "acknowledged" });
  });

  test("the human does not read what is between agents", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const id = await a.tell(b);
    await b.pull();
    expect(await scope.call("acknowledgeHumanMessages", { messageIds: [id] })).toEqual({ acknowledged: 0 });
  });

  test("an agent may itself be called human", async () => {
    const scope = await intercom().scope({ linkPolicy: "open" });
    const [a, namesake] = [await scope.agent("a"), await scope.agent("human")];
    await a.tell("human", { body: "to the agent" });
    await a.tell("human", { toKind: "human", body: "to the human" });
    expect((await namesake.pull()).map(({ body }) => body)).toEqual(["to the agent"]);
    const { messages } = await scope.call("listMessages", { agent: "a", peerKind: "human" });
    expect(messages.map(({ body }) => body)).toEqual(["to the human"]);
  });
});

describe("conversations", () => {
  /** Eight messages among three agents and the human, numbered in the order they were sent. */
  async function conversation(): Promise<{ scope: ScopeActor; a: AgentActor; b: AgentActor; c: AgentActor }> {
    const scope = await intercom().scope();
    const [a, b, c] = await scope.agents("a", "b", "c");
    await scope.call("linkAgents", { left: "b", right: "c" });
    await a.tell(b, { body: "1 a-b" });
    await b.tell(a, { body: "2 b-a" });
    await a.tell(c, { body: "3 a-c" });
    await b.tell(c, { body: "4 b-c" });
    await a.tell("human", { toKind: "human", body: "5 a-human" });
    await scope.call("sendHumanMessage", { to: "a", body: "6 human-a" });
    await scope.call("sendHumanMessage", { to: "c", body: "7 human-c" });
    await b.tell(a, { body: "8 b-a" });
    return { scope, a, b, c };
  }

  const numbers = (page: { messages: readonly { body: string }[] }) =>
    page.messages.map(({ body }) => Number(body.split(" ")[0]));

  test("are read newest first: of one agent, of two, and of an agent with the human", async () => {
    const { scope } = await conversation();
    const list = async (input: object) => numbers(await scope.call("listMessages", input));
    expect(await list({ agent: "a" })).toEqual([8, 6, 5, 3, 2, 1]);
    expect(await list({ agent: "c" })).toEqual([7, 4, 3]);
    expect(await list({ agent: "a", peer: "b" })).toEqual([8, 2, 1]);
    expect(await list({ agent: "b", peer: "a" })).toEqual([8, 2, 1]);
    expect(await list({ agent: "a", peerKind: "human" })).toEqual([6, 5]);
    expect(await list({ agent: "b", peerKind: "human" })).toEqual([]);
  });

  test("of a whole scope are read newest first, and those of the human", async () => {
    const { scope } = await conversation();
    const list = async (input: object) => numbers(await scope.call("listMessages", input));
    expect(await list({})).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await list({ peerKind: "human" })).toEqual([7, 6, 5]);
    expect(await list({ peerKind: "agent" })).toEqual([8, 4, 3, 2, 1]);
    expect(await list({ agent: "a", peerKind: "agent" })).toEqual([8, 3, 2, 1]);
    expect(await list({ state: "delivered" })).toEqual([5]);
    const first = await scope.call("listMessages", { limit: 5 });
    expect(numbers(await scope.call("listMessages", { before: first.nextCursor ?? "" }))).toEqual([3, 2, 1]);
  });

  test("are read by an agent as far as they are its own", async () => {
    const { a, b, c } = await conversation();
    expect(numbers(await a.call("listMyMessages", {}))).toEqual([8, 6, 5, 3, 2, 1]);
    expect(numbers(await b.call("listMyMessages", { peer: "a" }))).toEqual([8, 2, 1]);
    expect(numbers(await c.call("listMyMessages", { peer: "a" }))).toEqual([3]);
    expect(await a.refused("listMyMessages", { peer: "nobody" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("are read in pages", async () => {
    const { scope, a } = await conversation();
    const pages: number[][] = [];
    for (let before: string | undefined; ; ) {
      const page = await a.call("listMyMessages", { limit: 4, ...(before ? { before } : {}) });
      pages.push(numbers(page));
      before = page.nextCursor;
      if (before === undefined) break;
    }
    expect(pages).toEqual([
      [8, 6, 5, 3],
      [2, 1],
    ]);
    const exact = await scope.call("listMessages", { agent: "a", peer: "b", limit: 3 });
    expect(exact).not.toHaveProperty("nextCursor");
    // What is sent meanwhile does not move what is still to be read.
    const first = await scope.call("listMessages", { agent: "a", limit: 2 });
    await a.tell("b", { body: "9 a-b" });
    const second = await scope.call("listMessages", { agent: "a", before: first.nextCursor ?? "" });
    expect(numbers(second)).toEqual([5, 3, 2, 1]);
  });

  test("are read by state", async () => {
    const { scope, b } = await conversation();
    const [first] = await b.pull();
    await b.call("acknowledgeMessages", { messageIds: [first?.id ?? ""] });
    const list = async (input: object) => numbers(await scope.call("listMessages", input));
    expect(await list({ agent: "b", state: "acknowledged" })).toEqual([1]);
    expect(await list({ agent: "b", state: "queued" })).toEqual([8, 4, 2]);
    expect(await list({ agent: "b", peer: "a", state: "queued" })).toEqual([8, 2]);
    expect(await list({ state: "dead_lettered" })).toEqual([]);
  });

  test("stay when an agent is taken off the list", async () => {
    const { scope } = await conversation();
    await scope.call("removeAgent", { agentId: "a" });
    expect(numbers(await scope.call("listMessages", { agent: "b", peer: "a" }))).toEqual([8, 2, 1]);
    expect(await scope.refused("listMessages", { agent: "nobody" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("show one message to the owner", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const messageId = await a.tell(b, { body: "secret" });
    expect(await scope.call("getMessage", { messageId })).toMatchObject({ body: "secret", state: "queued" });
    expect(await scope.refused("getMessage", { messageId: "msg_unknown" })).toMatchObject({ code: "NOT_FOUND" });
  });
});
