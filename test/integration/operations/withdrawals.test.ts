import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { fillEscalations } from "../../support/fill.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

interface Answered {
  readonly scope: ScopeActor;
  readonly a: AgentActor;
  readonly escalationId: string;
}

/** A question that has just been answered. */
async function answered(question: object = {}, agent: object = {}): Promise<Answered> {
  const scope = await intercom().scope();
  const a = await scope.agent("a", agent);
  const { id: escalationId } = await a.call("askHuman", { question: "may I?", ...question });
  await scope.call("resolveEscalation", { escalationId, answer: "oops", note: "mind this" });
  return { scope, a, escalationId };
}

/** Messages the scope's agents have still to deal with, as the scope keeps count of them. */
function activeOf({ scope }: Answered): unknown {
  return intercom().sql((db) => db.prepare("SELECT active_messages FROM scopes WHERE id = ?").pluck().get(scope.id));
}

describe("an answer nobody has read", () => {
  test("is taken back without a trace, and the question is open again", async () => {
    const world = await answered();
    const { scope, a, escalationId } = world;
    await intercom().advance(LIMITS.answerWithdrawMs);
    const events = await scope.eventsOf(async () => {
      const open = await scope.call("withdrawAnswer", { escalationId });
      expect(open).toMatchObject({ id: escalationId, status: "pending" });
      for (const gone of ["answer", "resolution", "resolvedAt", "answerReadAt"]) expect(open).not.toHaveProperty(gone);
    });
    expect(events).toEqual([
      ["escalation.answer_withdrawn", escalationId, { agentId: "a", status: "pending", actor: "scope" }],
      ["message.withdrawn", expect.any(String), { from: "human", to: "a", mode: "notify", actor: "scope" }],
    ]);
    expect(await a.pull()).toEqual([]);
    expect((await a.call("listMyMessages", {})).messages).toEqual([]);
    expect((await scope.call("listMessages", {})).messages).toEqual([]);
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ status: "pending" });

    await scope.call("resolveEscalation", { escalationId, answer: "better" });
    expect(await a.pull()).toMatchObject([{ body: "better" }]);
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ answer: "better" });
  });

  test("counts no longer as something the agent has to deal with", async () => {
    const world = await answered();
    expect(activeOf(world)).toBe(1);
    await world.scope.call("withdrawAnswer", { escalationId: world.escalationId });
    expect(activeOf(world)).toBe(0);
  });

  test("can be taken back from an agent that takes no notices", async () => {
    const { scope, a, escalationId } = await answered({}, { notices: false });
    expect(await scope.call("withdrawAnswer", { escalationId })).toMatchObject({ status: "pending" });
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ status: "pending" });
  });

  test("leaves the question the expiry it had", async () => {
    const { scope, a, escalationId } = await answered({ expiresInMs: 5000 });
    await intercom().advance(2000);
    await scope.call("withdrawAnswer", { escalationId });
    const expiry = await scope.eventsOf(() => intercom().advance(3000));
    expect(expiry).toEqual([["escalation.expired", escalationId, { agentId: "a", status: "expired" }]]);
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ status: "expired" });
  });

  test("leaves a question whose time ran out meanwhile expired", async () => {
    const { scope, escalationId } = await answered({ expiresInMs: 2000 });
    await intercom().advance(3000);
    await scope.call("withdrawAnswer", { escalationId });
    await intercom().advance(0);
    expect(await scope.call("getScopeEscalation", { escalationId })).toMatchObject({ status: "expired" });
  });

  test("is given back by whoever commits too late", async () => {
    const { scope, a, escalationId } = await answered();
    const { id: reservationId = "" } = (await a.call("reserveInbox", {})) ?? {};
    await a.call("releaseInbox", { reservationId });
    await scope.call("withdrawAnswer", { escalationId });
    expect(await a.refused("commitInbox", { reservationId })).toMatchObject({ code: "CONFLICT" });
  });

  test("is taken back once, and with a key as often as one likes", async () => {
    const { scope, escalationId } = await answered();
    const first = await scope.call("withdrawAnswer", { escalationId }, { key: "once" });
    expect(await scope.call("withdrawAnswer", { escalationId }, { key: "once" })).toEqual(first);
    const again = await scope.refused("withdrawAnswer", { escalationId });
    expect(again).toMatchObject({ code: "CONFLICT", details: { status: "pending", reason: "not_answered" } });
  });

  test("stays where so many questions are pending that one more may not be", async () => {
    const { scope, escalationId } = await answered();
    fillEscalations(intercom(), scope.id, "a", LIMITS.pendingEscalationsPerAgent);
    expect(await scope.refused("withdrawAnswer", { escalationId })).toMatchObject({ code: "BACKPRESSURE" });
  });
});

describe("an answer counts as read once the agent", () => {
  const ways: readonly [what: string, by: string, (world: Answered) => Promise<unknown>][] = [
    ["asked for it", "call", ({ a, escalationId }) => a.call("getEscalation", { escalationId })],
    ["listed its questions", "call", ({ a }) => a.call("listMyEscalations", {})],
    ["took it out of its inbox", "inbox", ({ a }) => a.pull()],
    ["came across it among its messages", "call", ({ a }) => a.call("listMyMessages", {})],
    [
      "looked at the message",
      "call",
      async ({ scope, a }) => {
        const { messages } = await scope.call("listMessages", {});
        return a.call("getMyMessage", { messageId: messages[0]?.id ?? "" });
      },
    ],
  ];

  test.each(ways)("%s", async (_, by, read) => {
    const world = await answered();
    const { scope, a, escalationId } = world;
    expect(await scope.call("getScopeEscalation", { escalationId })).not.toHaveProperty("answerReadAt");
    await intercom().advance(1000);
    const answerReadAt = intercom().clock.instant();
    const events = await scope.eventsOf(() => read(world));
    expect(events.filter(([type]) => type === "escalation.answer_read")).toEqual([
      ["escalation.answer_read", escalationId, { agentId: "a", status: "resolved", by }],
    ]);
    await intercom().advance(1000);
    const more = await scope.eventsOf(async () => {
      for (const [, , again] of ways) await again(world);
    });
    expect(
      more.filter(([type]) => type === "escalation.answer_read"),
      "a second time",
    ).toEqual([]);
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ answerReadAt });
    const refusal = await scope.refused("withdrawAnswer", { escalationId });
    expect(refusal).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("read"),
      details: { status: "resolved", reason: "read", answerReadAt },
    });
    expect(await scope.call("getScopeEscalation", { escalationId })).toMatchObject({ answer: "oops", answerReadAt });
  });

  test("waited for it", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { id: escalationId } = await a.call("askHuman", { question: "may I?" });
    const waiting = a.call("getEscalation", { escalationId, waitMs: 25_000 });
    await until("the call waits", () => waitingCalls() > 0);
    await scope.call("resolveEscalation", { escalationId, answer: "yes" });
    const answerReadAt = intercom().clock.instant();
    expect(await waiting).toMatchObject({ answer: "yes", answerReadAt });
    expect(await scope.refused("withdrawAnswer", { escalationId })).toMatchObject({ details: { reason: "read" } });
  });

  test("and nobody else: the owner may look as often as it likes", async () => {
    const { scope, escalationId } = await answered();
    await scope.call("getScopeEscalation", { escalationId });
    await scope.call("listEscalations", {});
    await scope.call("listEscalationsPage", {});
    await scope.call("listEscalationHistory", {});
    await scope.call("listMessages", {});
    expect(await scope.call("withdrawAnswer", { escalationId })).toMatchObject({ status: "pending" });
  });
});

test("reading and taking back at the same time have one winner", async () => {
  for (let n = 0; n < 20; n += 1) {
    const { scope, a, escalationId } = await answered();
    const [taken, seen] = await Promise.all([
      intercom().send("withdrawAnswer", { escalationId }, { token: scope.token }),
      a.call("getEscalation", { escalationId }),
    ]);
    expect(taken.status === 200 ? "pending" : "resolved").toBe(seen.status);
    expect(await a.pull()).toHaveLength(taken.status === 200 ? 0 : 1);
  }
});

describe("an answer stays", () => {
  test("after ten seconds", async () => {
    const { scope, escalationId } = await answered();
    const answeredAt = intercom().clock.instant();
    await intercom().advance(LIMITS.answerWithdrawMs + 1);
    const refusal = await scope.refused("withdrawAnswer", { escalationId });
    expect(refusal).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("10 s"),
      details: { status: "resolved", reason: "too_late", answeredAt },
    });
  });

  test("while the agent holds the message that brings it", async () => {
    const { scope, a, escalationId } = await answered();
    const { id: reservationId = "" } = (await a.call("reserveInbox", {})) ?? {};
    const refusal = await scope.refused("withdrawAnswer", { escalationId });
    expect(refusal).toMatchObject({ code: "CONFLICT", details: { status: "resolved", reason: "reserved" } });
    await a.call("commitInbox", { reservationId });
    expect(await scope.refused("withdrawAnswer", { escalationId })).toMatchObject({ details: { reason: "read" } });
  });

  test("when it was late", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const { id: escalationId } = await a.call("askHuman", { question: "may I?", expiresInMs: 1000 });
    await intercom().advance(1000);
    await scope.call("resolveEscalation", { escalationId, answer: "sorry, yes" });
    expect(await scope.refused("withdrawAnswer", { escalationId })).toMatchObject({ details: { reason: "late" } });
  });

  test("when there is none, or it is not the caller's", async () => {
    const { a, escalationId } = await answered();
    expect(await a.refused("withdrawAnswer", { escalationId })).toMatchObject({ code: "PERMISSION_DENIED" });
    const other = await intercom().scope();
    expect(await other.refused("withdrawAnswer", { escalationId })).toMatchObject({ code: "NOT_FOUND" });
    const b = await other.agent("b");
    const { id } = await b.call("askHuman", { question: "may I?" });
    await b.call("cancelEscalation", { escalationId: id });
    expect(await other.refused("withdrawAnswer", { escalationId: id })).toMatchObject({
      details: { status: "cancelled", reason: "not_answered" },
    });
  });
});

test("what the human adds to an answer comes with it", async () => {
  const { scope, a, escalationId } = await answered();
  expect(await a.call("getEscalation", { escalationId })).toMatchObject({ resolution: { note: "mind this" } });
  expect(await a.pull()).toMatchObject([
    { body: "oops", context: [{ kind: "text", title: "Note from the human", text: "mind this" }] },
  ]);
  const { id } = await a.call("askHuman", { question: "and this?" });
  await scope.call("resolveEscalation", { escalationId: id, answer: "yes", note: "" });
  expect((await a.pull()).find(({ about }) => about?.id === id)).toMatchObject({ body: "yes", context: [] });
});
