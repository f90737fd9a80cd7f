import { expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import type { AgentActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();

const ask = async (agent: AgentActor, input: object = {}) =>
  (await agent.call("askHuman", { question: "may I?", ...input })).id;

test("a question that is put off stays pending, and its agent hears until when", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const escalationId = await ask(a);
  const deferredUntil = intercom().clock.instant(60_000);
  const events = await scope.eventsOf(async () => {
    const deferred = await scope.call("deferEscalation", { escalationId, delayMs: 60_000 });
    expect(deferred).toMatchObject({ id: escalationId, status: "pending", deferredUntil });
  });
  expect(events[0]).toEqual([
    "escalation.deferred",
    escalationId,
    { agentId: "a", status: "pending", deferredUntil, actor: "scope" },
  ]);
  expect(await a.call("getEscalation", { escalationId })).toMatchObject({ status: "pending", deferredUntil });
  expect(await a.pull()).toMatchObject([
    {
      fromKind: "system",
      mode: "notify",
      body: expect.stringContaining(deferredUntil),
      about: { kind: "escalation", id: escalationId },
    },
  ]);
  // Nothing happens by itself then, and an answer is as good as ever.
  const later = await scope.eventsOf(() => intercom().advance(60_001));
  expect(later).toEqual([]);
  const answered = await scope.call("resolveEscalation", { escalationId, answer: "yes" });
  expect(answered).toMatchObject({ status: "resolved", deferredUntil, resolution: { late: false } });
});

test("a new deferral replaces the old one, and 0 brings the question back", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const escalationId = await ask(a);
  await scope.call("deferEscalation", { escalationId, delayMs: 1000 });
  const longest = await scope.call("deferEscalation", { escalationId, delayMs: LIMITS.escalationDeferMaxMs });
  expect(longest.deferredUntil).toBe(intercom().clock.instant(LIMITS.escalationDeferMaxMs));
  const back = await scope.call("deferEscalation", { escalationId, delayMs: 0 });
  expect(back).not.toHaveProperty("deferredUntil");
  const again = await scope.eventsOf(async () => {
    expect(await scope.call("deferEscalation", { escalationId, delayMs: 0 })).toEqual(back);
  });
  expect(again, "nothing to bring back").toEqual([]);
  expect(await a.pull()).toHaveLength(3);
  const tooLong = { escalationId, delayMs: LIMITS.escalationDeferMaxMs + 1 };
  expect(await scope.refused("deferEscalation", tooLong)).toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("a deferral ends the waits it finds, and none that begins later", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const escalationId = await ask(a);
  const found = a.call("getEscalation", { escalationId, waitMs: 25_000 });
  await until("the call waits", () => waitingCalls() > 0);
  const { deferredUntil } = await scope.call("deferEscalation", { escalationId, delayMs: 60_000 });
  expect(await found).toMatchObject({ status: "pending", deferredUntil });
  const late = await a.call("getEscalation", { escalationId, waitMs: 20 });
  expect(late).toMatchObject({ status: "pending", deferredUntil });

  const later = a.call("getEscalation", { escalationId, waitMs: 25_000 });
  await until("the call waits", () => waitingCalls() > 0);
  await scope.call("resolveEscalation", { escalationId, answer: "now" });
  expect(await later).toMatchObject({ status: "resolved", answer: "now" });
});

test("bringing a question back ends a wait, too", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const escalationId = await ask(a);
  await scope.call("deferEscalation", { escalationId, delayMs: 60_000 });
  const found = a.call("getEscalation", { escalationId, waitMs: 25_000 });
  await until("the call waits", () => waitingCalls() > 0);
  await scope.call("deferEscalation", { escalationId, delayMs: 0 });
  expect(await found).not.toHaveProperty("deferredUntil");
});

test("only what is pending can be put off, and by the owner only", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const defer = { delayMs: 1000 };
  const resolved = await ask(a);
  await scope.call("resolveEscalation", { escalationId: resolved, answer: "yes" });
  const cancelled = await ask(a);
  await a.call("cancelEscalation", { escalationId: cancelled });
  const expired = await ask(a, { expiresInMs: 1000 });
  await intercom().advance(1000);
  for (const [escalationId, status] of [
    [resolved, "resolved"],
    [cancelled, "cancelled"],
    [expired, "expired"],
  ] as const) {
    const refusal = await scope.refused("deferEscalation", { escalationId, ...defer });
    expect(refusal).toMatchObject({ code: "CONFLICT", details: { status } });
  }
  const mine = { escalationId: await ask(a), ...defer };
  expect(await a.refused("deferEscalation", mine)).toMatchObject({ code: "PERMISSION_DENIED" });
  const unknown = { escalationId: "ask_unknown", ...defer };
  expect(await scope.refused("deferEscalation", unknown)).toMatchObject({ code: "NOT_FOUND" });
});

test("a question that is put off expires when it would have", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a", { notices: false });
  const escalationId = await ask(a, { expiresInMs: 5000 });
  const { deferredUntil } = await scope.call("deferEscalation", { escalationId, delayMs: 60_000 });
  await intercom().advance(5000);
  const expired = await a.call("getEscalation", { escalationId });
  expect(expired).toMatchObject({ status: "expired", deferredUntil });
  expect(await a.pull(), "an agent without notices").toEqual([]);
});
