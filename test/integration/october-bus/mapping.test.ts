import { describe, expect, test } from "vitest";
import { useDaemon } from "../../support/use-daemon.ts";
import { Guest } from "./guest.ts";

const daemon = useDaemon({ octoberBusPort: 0 });

/** A scope with two linked agents that came through the listener, and how their owner speaks there. */
async function meeting() {
  const scope = await daemon().scope();
  const owner = new Guest(daemon(), scope.token);
  const join = async (id: string, connectTo: string[] = []) => {
    const { agentToken } = await owner.call("registerAgent", { id, displayName: id, connectTo });
    return new Guest(daemon(), agentToken);
  };
  const alice = await join("alice");
  const bob = await join("bob", ["alice"]);
  return { scope, owner, alice, bob };
}

async function pull(guest: Guest) {
  const reservation = await guest.call("reserveInbox", { limit: 0, waitMs: 0 });
  return reservation ? guest.call("commitInbox", { reservationId: reservation.id }) : [];
}

describe("messages", () => {
  test("of the human come from an agent called human, and can be answered", async () => {
    const { scope, alice } = await meeting();
    const { messageId } = await scope.call("sendHumanMessage", { to: "alice", body: "How far?", mode: "request" });
    const [message] = await pull(alice);
    expect(message).toMatchObject({
      id: messageId,
      from: "human",
      fromKind: "agent",
      toKind: "agent",
      mode: "request",
    });
    await alice.call("sendMessage", { to: "human", body: "Done", mode: "response", responseTo: messageId });
    expect(await scope.call("getMessage", { messageId })).toMatchObject({ state: "delivered", mode: "request" });
    expect((await scope.call("listMessages", { peerKind: "human" })).messages[0]).toMatchObject({
      from: "alice",
      toKind: "human",
      body: "Done",
    });
  });

  test("that were set aside count as expired", async () => {
    const { alice, bob } = await meeting();
    const { messageId } = await alice.call("sendMessage", { to: "bob", body: "Too much" });
    await pull(bob);
    await daemon().call("deadLetterMessage", { messageId, reason: "too much" }, { token: bob.token });
    const receipt = await alice.call("getReceipt", { messageId });
    expect(receipt.state).toBe("expired");
    expect(receipt).not.toHaveProperty("deadLetterReason");
  });

  test("are those of agents alone, unless somebody writes to the agent: no notices of answers", async () => {
    const { scope, owner, alice } = await meeting();
    const { id } = await alice.call("askHuman", { question: "May I?", options: null });
    await owner.call("resolveEscalation", { escalationId: id, answer: "Yes" });
    expect(await pull(alice)).toEqual([]);
    const { agentToken } = await scope.call("registerAgent", { id: "carol", displayName: "Carol" });
    const carol = new Guest(daemon(), agentToken);
    const asked = await carol.call("askHuman", { question: "May I?" });
    await owner.call("resolveEscalation", { escalationId: asked.id, answer: "No" });
    // Registered at the other listener, it gets the answer, in the words of this one.
    expect(await pull(carol)).toMatchObject([{ from: "human", fromKind: "agent", body: "No" }]);
  });
});

describe("tasks", () => {
  test("that were called off are open and never ready", async () => {
    const { scope, owner, alice } = await meeting();
    const { id } = await owner.call("addTask", { title: "Dig a hole", description: "" });
    await scope.call("cancelTask", { taskId: id, reason: "no shovel" });
    const tasks = await alice.call("listTasks", {});
    expect(tasks).toMatchObject([{ id, status: "open", ready: false }]);
    expect(await alice.call("listTasks", { ready: true })).toEqual([]);
    await expect(alice.call("claimTask", { taskId: id })).rejects.toMatchObject({ error: { code: "CONFLICT" } });
  });

  test("ready=false asks for all of them", async () => {
    const { owner, alice } = await meeting();
    const first = await owner.call("addTask", { title: "First" });
    const second = await owner.call("addTask", { title: "Second", dependencies: [first.id] });
    const ids = async (input: Record<string, unknown>) => (await alice.call("listTasks", input)).map(({ id }) => id);
    expect(await ids({ ready: false })).toEqual([first.id, second.id]);
    expect(await ids({ ready: "" })).toEqual([first.id, second.id]);
    expect(await ids({ ready: true })).toEqual([first.id]);
  });
});

describe("questions", () => {
  const asked = async (owner: Guest, id: string) =>
    (await owner.call("listEscalations", {})).find((question) => question.id === id);

  test("that have expired still wait for an answer", async () => {
    const { scope, owner } = await meeting();
    const dave = await scope.agent("dave");
    const { id } = await dave.call("askHuman", { question: "Now?", expiresInMs: 10_000 });
    await daemon().advance(11_000);
    expect(await asked(owner, id)).toMatchObject({ status: "pending" });
    expect(await scope.call("getScopeEscalation", { escalationId: id })).toMatchObject({ status: "expired" });
    const resolved = await owner.call("resolveEscalation", { escalationId: id, answer: "Later" });
    expect(resolved).toMatchObject({ status: "resolved", answer: "Later" });
  });

  test("that were taken back are resolved without an answer", async () => {
    const { scope, owner } = await meeting();
    const dave = await scope.agent("dave");
    const { id } = await dave.call("askHuman", { question: "Now?" });
    const { cancelledAt } = await dave.call("cancelEscalation", { escalationId: id });
    const question = await asked(owner, id);
    expect(question).toMatchObject({ status: "resolved", resolvedAt: cancelledAt });
    expect(question).not.toHaveProperty("answer");
  });

  test("can be read by every agent of the scope, at this listener only", async () => {
    const { scope, owner, alice, bob } = await meeting();
    const { id: escalationId } = await alice.call("askHuman", { question: "May we?" });
    expect(await bob.call("getEscalation", { escalationId })).toMatchObject({ agentId: "alice", status: "pending" });
    await owner.call("resolveEscalation", { escalationId, answer: "Yes" });
    expect(await bob.call("getEscalation", { escalationId })).toMatchObject({ answer: "Yes" });

    const elsewhere = await daemon().refused("getEscalation", { escalationId }, { token: bob.token });
    expect(elsewhere.code).toBe("NOT_FOUND");
    const stranger = await (await daemon().scope()).agent("bob");
    const outsider = new Guest(daemon(), stranger.token);
    await expect(outsider.call("getEscalation", { escalationId })).rejects.toMatchObject({ status: 404 });
    // Reading is all: taking it back is for the agent that asked.
    const question = await scope.call("askHuman", { question: "x" }, { token: alice.token });
    await expect(bob.call("cancelEscalation", { escalationId: question.id })).rejects.toMatchObject({ status: 404 });
  });

  test("can be waited for by another agent", async () => {
    const { owner, alice, bob } = await meeting();
    const { id: escalationId } = await alice.call("askHuman", { question: "May we?" });
    const waiting = bob.call("getEscalation", { escalationId, waitMs: 20_000 });
    await owner.call("resolveEscalation", { escalationId, answer: "Yes" });
    expect(await waiting).toMatchObject({ status: "resolved", answer: "Yes" });
  });
});
