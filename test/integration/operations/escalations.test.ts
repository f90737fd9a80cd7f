import { describe, expect, test } from "vitest";
import type { AgentActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

const ask = async (agent: AgentActor, input: object = {}) =>
  (await agent.call("askHuman", { question: "may I?", ...input })).id;

test("a question is asked and answered, and the answer reaches the agent", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const createdAt = intercom().clock.instant();
  const context = [{ kind: "reference" as const, title: "the plan" }];
  let escalationId = "";
  const asked = await scope.eventsOf(async () => {
    const escalation = await a.call("askHuman", {
      question: "Deploy ü?",
      options: ["yes", "no"],
      urgency: "high",
      context,
      expiresInMs: 60_000,
    });
    escalationId = escalation.id;
    expect(escalation).toEqual({
      id: expect.stringMatching(/^ask_[0-9a-f]{32}$/),
      scopeId: scope.id,
      agentId: "a",
      kind: "choice",
      urgency: "high",
      question: "Deploy ü?",
      options: ["yes", "no"],
      context,
      status: "pending",
      createdAt,
      expiresAt: intercom().clock.instant(60_000),
    });
  });
  const attributes = { agentId: "a", status: "pending", kind: "choice", urgency: "high" };
  expect(asked).toEqual([["escalation.created", escalationId, attributes]]);

  await intercom().advance(1000);
  const at = intercom().clock.instant();
  const answered = await scope.eventsOf(async () => {
    const answer = { escalationId, answer: "yes, but later", by: "human", surface: "tray", note: "tired" } as const;
    expect(await scope.call("resolveEscalation", answer)).toMatchObject({
      status: "resolved",
      answer: "yes, but later",
      resolvedAt: at,
      resolution: { by: "human", surface: "tray", at, note: "tired", late: false },
    });
  });
  expect(answered.map(([type]) => type)).toEqual(["escalation.resolved", "message.accepted"]);
  expect(answered[0]?.[2]).toEqual({
    agentId: "a",
    status: "resolved",
    by: "human",
    surface: "tray",
    late: "false",
    actor: "scope",
  });
  expect(await a.call("getEscalation", { escalationId })).toMatchObject({ answer: "yes, but later" });
  const [message] = await a.pull();
  expect(message).toMatchObject({
    from: "human",
    fromKind: "human",
    mode: "notify",
    body: "yes, but later",
    about: { kind: "escalation", id: escalationId },
  });
  // The human's words do not expire.
  expect(message).not.toHaveProperty("expiresAt");
});

test("kind and urgency have their defaults", async () => {
  const a = await (await intercom().scope()).agent("a");
  expect(await a.call("askHuman", { question: "q" })).toMatchObject({ kind: "input", urgency: "normal", options: [] });
  const permission = { question: "q", options: ["allow", "deny"], kind: "permission" as const };
  expect(await a.call("askHuman", permission)).toMatchObject({ kind: "permission" });
});

describe("an answer", () => {
  test("wins when it is the first, and a later one hears who was faster", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a);
    await scope.call("resolveEscalation", { escalationId, answer: "first", by: "rule", surface: "cli" });
    const answeredAt = intercom().clock.instant();
    await intercom().advance(1000);
    const events = await scope.eventsOf(async () => {
      expect(await scope.refused("resolveEscalation", { escalationId, answer: "second" })).toMatchObject({
        code: "CONFLICT",
        details: { status: "resolved", answeredAt, surface: "cli", by: "rule" },
      });
    });
    expect(events).toEqual([]);
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ answer: "first" });
    expect(await a.pull()).toHaveLength(1);
  });

  test("wins once when many come at the same time", async () => {
    const scope = await intercom().scope();
    const escalationId = await ask(await scope.agent("a"));
    const answers = Array.from({ length: 10 }, (_, n) =>
      intercom().send("resolveEscalation", { escalationId, answer: `${n}` }, { token: scope.token }),
    );
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test("may be anything, whatever the options were, and says where it came from by default", async () => {
    const scope = await intercom().scope();
    const escalationId = await ask(await scope.agent("a"), { options: ["yes", "no"] });
    const { resolution } = await scope.call("resolveEscalation", { escalationId, answer: "neither" });
    expect(resolution).toMatchObject({ by: "human", surface: "api" });
  });

  test("is not the agent's to give", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a);
    expect(await a.refused("resolveEscalation", { escalationId, answer: "yes" })).toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });

  test("wakes whoever waits for it", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a);
    const waiting = [1, 2].map(() => a.call("getEscalation", { escalationId, waitMs: 25_000 }));
    await scope.call("resolveEscalation", { escalationId, answer: "now" });
    for (const each of waiting) expect(await each).toMatchObject({ status: "resolved", answer: "now" });
    expect(await a.call("getEscalation", { escalationId, waitMs: 25_000 })).toMatchObject({ answer: "now" });
  });

  test("is not in the inbox of an agent that takes no notices", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a", { notices: false });
    const escalationId = await ask(a);
    await scope.call("resolveEscalation", { escalationId, answer: "yes" });
    expect(await a.pull()).toEqual([]);
    expect(await a.call("getEscalation", { escalationId })).toMatchObject({ answer: "yes" });
  });

  test("waits in the inbox for an agent that has gone", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a);
    await a.call("retire", {});
    await scope.call("resolveEscalation", { escalationId, answer: "yes" });
    const back = await scope.agent("a");
    expect(await back.pull()).toMatchObject([{ body: "yes" }]);
    expect(await back.call("getEscalation", { escalationId })).toMatchObject({ status: "resolved" });
  });
});

test("a wait ends with the question still pending when nobody answers in time", async () => {
  const a = await (await intercom().scope()).agent("a");
  const escalationId = await ask(a);
  expect(await a.call("getEscalation", { escalationId, waitMs: 20 })).toMatchObject({ status: "pending" });
});

describe("a question taken back", () => {
  test("cannot be answered", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a);
    const cancelledAt = intercom().clock.instant();
    const waiting = a.call("getEscalation", { escalationId, waitMs: 25_000 });
    const events = await scope.eventsOf(async () => {
      expect(await a.call("cancelEscalation", { escalationId, reason: "found out" })).toMatchObject({
        status: "cancelled",
        cancelReason: "found out",
        cancelledAt,
      });
    });
    expect(events).toEqual([["escalation.cancelled", escalationId, { agentId: "a", status: "cancelled" }]]);
    expect(await waiting).toMatchObject({ status: "cancelled" });
    expect(await scope.refused("resolveEscalation", { escalationId, answer: "yes" })).toMatchObject({
      code: "CONFLICT",
      details: { status: "cancelled", cancelledAt },
    });
    expect(await a.refused("cancelEscalation", { escalationId })).toMatchObject({ code: "CONFLICT" });
  });

  test("must be pending", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a);
    await scope.call("resolveEscalation", { escalationId, answer: "yes" });
    expect(await a.refused("cancelEscalation", { escalationId })).toMatchObject({ details: { status: "resolved" } });
    expect(await a.refused("cancelEscalation", { escalationId: "ask_unknown" })).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a question that expires", () => {
  test("has no answer then, and a late one is kept and delivered as late", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const escalationId = await ask(a, { expiresInMs: 1000 });
    const waiting = a.call("getEscalation", { escalationId, waitMs: 25_000 });
    await intercom().advance(999);
    expect(await scope.call("getScopeEscalation", { escalationId })).toMatchObject({ status: "pending" });
    const expired = await scope.eventsOf(() => intercom().advance(1));
    expect(expired).toEqual([["escalation.expired", escalationId, { agentId: "a", status: "expired" }]]);
    const escalation = await waiting;
    expect(escalation).toMatchObject({ status: "expired", expiredAt: intercom().clock.instant() });
    expect(escalation).not.toHaveProperty("answer");
    expect(escalation).not.toHaveProperty("resolution");
    expect(await a.pull()).toEqual([]);
    expect(await a.refused("cancelEscalation", { escalationId })).toMatchObject({ details: { status: "expired" } });

    const late = await scope.eventsOf(async () => {
      expect(await scope.call("resolveEscalation", { escalationId, answer: "sorry, yes" })).toMatchObject({
        status: "resolved",
        expiredAt: intercom().clock.instant(),
        resolution: { late: true },
      });
    });
    expect(late[0]?.[2]).toMatchObject({ late: "true" });
    expect(await a.pull()).toMatchObject([
      { body: "sorry, yes", about: { kind: "escalation", id: escalationId, late: true } },
    ]);
  });
});

test("lists show questions oldest first, by state and in pages", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const ids = [await ask(a), await ask(a), await ask(a)];
  await scope.call("resolveEscalation", { escalationId: ids[0] as string, answer: "yes" });
  const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  expect(idsOf(await scope.call("listEscalations", {}))).toEqual(ids);
  const page = (input: object) => scope.call("listEscalationsPage", input);
  expect(idsOf((await page({ status: "pending" })).escalations)).toEqual(ids.slice(1));
  expect(idsOf((await page({ status: "expired" })).escalations)).toEqual([]);
  const first = await page({ limit: 2 });
  const second = await page({ limit: 2, after: first.nextCursor });
  expect([idsOf(first.escalations), idsOf(second.escalations)]).toEqual([ids.slice(0, 2), ids.slice(2)]);
  expect(second).not.toHaveProperty("nextCursor");
  const unknown = { escalationId: "ask_unknown" };
  expect(await scope.refused("getScopeEscalation", unknown)).toMatchObject({ code: "NOT_FOUND" });
  expect(await scope.refused("resolveEscalation", { ...unknown, answer: "b" })).toMatchObject({ code: "NOT_FOUND" });
});
