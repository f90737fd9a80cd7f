import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Escalation, IntercomError, type Receipt } from "../../protocol/index.ts";
import { message, scriptedSession } from "../../test/fixtures/scripted-session.ts";

const NOW = "2026-01-01T00:00:00.000Z";
const response = message("msg_response", { mode: "response", responseTo: "msg_sent", body: "yes" });

function unreachable(): never {
  throw new TypeError("fetch failed");
}

/** Collects how a promise ends. */
function outcome<T>(promise: Promise<T>) {
  const seen: { value?: T; error?: unknown } = {};
  promise.then(
    (value) => {
      seen.value = value;
    },
    (error: unknown) => {
      seen.error = error;
    },
  );
  return seen;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe("ask", () => {
  it("gets its response from the inbox loop, which acknowledges it and keeps it from the handler", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handler = vi.fn();
    session.onMessage(handler, { batch: 10 });
    const asked = outcome(session.ask("peer", "well?", { context: [{ kind: "url", title: "x", uri: "y" }] }));
    await settle();
    expect(daemon.named("sendMessage")[0]?.input).toMatchObject({ to: "peer", body: "well?", mode: "request" });
    daemon.push(message("m1"), response);
    await settle();
    expect(asked.value?.body).toBe("yes");
    expect(handler.mock.calls.map(([received]) => received.id)).toEqual(["m1"]);
    expect(daemon.named("acknowledgeMessages").map((call) => call.input.messageIds)).toEqual([
      ["msg_response"],
      ["m1"],
    ]);
    await session.close();
  });

  it("gets a response that is faster than the receipt of its request", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handler = vi.fn();
    session.onMessage(handler);
    const send = daemon.script.sendMessage;
    daemon.script.sendMessage = async (call) => {
      daemon.push(response);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return send(call);
    };
    const asked = outcome(session.ask("peer", "well?"));
    await vi.advanceTimersByTimeAsync(500);
    expect(asked.value?.body).toBe("yes");
    expect(handler).not.toHaveBeenCalled();
    await session.close();
  });

  it("leaves a late response to the handler", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handler = vi.fn();
    session.onMessage(handler);
    const asked = outcome(session.ask("peer", "well?", { timeoutMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked.error).toMatchObject({ code: "INTERNAL", details: { reason: "timeout", messageId: "msg_sent" } });
    daemon.push(response);
    await settle();
    expect(handler).toHaveBeenCalledOnce();
    await session.close();
  });

  it("works inside a handler, and the response is not handled again when the inbox brings it", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const seen: string[] = [];
    session.onMessage(async (received) => {
      seen.push(received.id);
      if (received.id === "m1") seen.push((await session.ask("peer", "well?")).body);
    });
    daemon.push(message("m1"));
    await settle();
    daemon.script.getReceipt = () => ({
      messageId: "msg_sent",
      state: "acknowledged",
      acceptedAt: NOW,
      responseMessageId: response.id,
    });
    daemon.script.listMyMessages = (call) =>
      call.input.before ? { messages: [response] } : { messages: [message("other")], nextCursor: "c" };
    daemon.script.acknowledgeMessages = () => ({ acknowledged: 0 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual(["m1", "yes"]);
    daemon.push(response);
    await settle();
    expect(seen).toEqual(["m1", "yes"]);
    expect(daemon.named("acknowledgeMessages").at(-1)?.input.messageIds).toEqual([response.id]);
    await session.close();
  });

  it.each([
    ["takes the response out of an inbox without reader", [response], "commitInbox", "releaseInbox"],
    ["leaves an inbox alone that holds more", [response, message("m1")], "releaseInbox", "commitInbox"],
  ] as const)("%s", async (_, waiting, expected, unexpected) => {
    const daemon = scriptedSession();
    daemon.script.releaseInbox = () => ({ released: true });
    daemon.script.getReceipt = () => ({
      messageId: "msg_sent",
      state: "acknowledged",
      acceptedAt: NOW,
      responseMessageId: response.id,
    });
    daemon.script.listMyMessages = () => ({ messages: [response] });
    daemon.script.acknowledgeMessages = () => ({ acknowledged: 0 });
    const session = await daemon.start();
    const asked = outcome(session.ask("peer", "well?"));
    daemon.push(...waiting);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked.value?.body).toBe("yes");
    expect(daemon.named(expected)).toHaveLength(1);
    expect(daemon.named(unexpected)).toHaveLength(0);
    await session.close();
  });

  it.each([
    ["dead_lettered", { deliveredAt: NOW }, true],
    ["expired", {}, true],
    ["expired", { deliveredAt: NOW }, false],
  ] as const)("gives up early only where no response can come: %s %o", async (state, facts, fails) => {
    const daemon = scriptedSession();
    daemon.script.getReceipt = (): Receipt => ({ messageId: "msg_sent", state, acceptedAt: NOW, ...facts });
    const session = await daemon.start();
    const asked = outcome(session.ask("peer", "well?"));
    await vi.advanceTimersByTimeAsync(5_000);
    if (fails) expect(asked.error).toMatchObject({ code: "CONFLICT", details: { reason: state } });
    else expect(asked).toEqual({});
    await session.close();
  });

  it("sends again with the same key while the daemon is away, until its time is over", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.sendMessage = unreachable;
    const asked = outcome(session.ask("peer", "well?", { timeoutMs: 8_000 }));
    await vi.advanceTimersByTimeAsync(8_000);
    const keys = daemon.named("sendMessage").map((call) => call.headers["Idempotency-Key"]);
    expect(keys.length).toBeGreaterThan(3);
    expect(new Set(keys).size).toBe(1);
    expect(asked.error).toMatchObject({ details: { reason: "timeout" } });
    await session.close();
  });

  it("fails at once when the daemon refuses, and when the caller aborts", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const controller = new AbortController();
    const aborted = outcome(session.ask("peer", "well?", { signal: controller.signal }));
    await settle();
    controller.abort();
    await settle();
    expect(aborted.error).toMatchObject({ details: { reason: "aborted" } });
    daemon.script.sendMessage = () => {
      throw new IntercomError("PERMISSION_DENIED", "no link");
    };
    const refused = outcome(session.ask("peer", "well?"));
    await settle();
    expect(refused.error).toMatchObject({ code: "PERMISSION_DENIED" });
    await session.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("askHuman", () => {
  const escalation = (fields: Partial<Escalation> = {}): Escalation => ({
    id: "ask_1",
    scopeId: "s",
    agentId: "me",
    kind: "choice",
    urgency: "normal",
    question: "Merge?",
    options: [],
    context: [],
    status: "pending",
    createdAt: NOW,
    ...fields,
  });
  const answer = message("msg_answer", {
    from: "human",
    fromKind: "human",
    about: { kind: "escalation", id: "ask_1" },
  });

  function asking() {
    const daemon = scriptedSession();
    let answered: (end: Escalation) => void = () => {};
    const end = new Promise<Escalation>((resolve) => {
      answered = resolve;
    });
    daemon.script.askHuman = () => escalation();
    daemon.script.releaseInbox = () => ({ released: true });
    daemon.script.getEscalation = () =>
      Promise.race([end, new Promise<Escalation>((resolve) => setTimeout(resolve, 25_000, escalation()))]);
    return { daemon, answered: (fields: Partial<Escalation>) => answered(escalation(fields)) };
  }

  it("waits as long as it takes, through restarts of the daemon", async () => {
    const { daemon, answered } = asking();
    const session = await daemon.start();
    const ask = daemon.script.askHuman as never;
    daemon.script.askHuman = unreachable;
    const asked = outcome(session.askHuman("Merge?", { options: ["yes", "no"], urgency: "high" }));
    await vi.advanceTimersByTimeAsync(3_000);
    daemon.script.askHuman = ask;
    await vi.advanceTimersByTimeAsync(60_000);
    const get = daemon.script.getEscalation as never;
    daemon.script.getEscalation = unreachable;
    await vi.advanceTimersByTimeAsync(60_000);
    daemon.script.getEscalation = get;
    answered({ status: "resolved", answer: "yes" });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked.value).toMatchObject({ status: "resolved", answer: "yes" });
    const calls = daemon.named("askHuman");
    expect(calls.at(-1)?.input).toEqual({ question: "Merge?", options: ["yes", "no"], urgency: "high" });
    expect(new Set(calls.map((call) => call.headers["Idempotency-Key"])).size).toBe(1);
    expect(daemon.named("getEscalation")[0]?.input).toEqual({ escalationId: "ask_1", waitMs: "25000" });
    await session.close();
  });

  it.each(["cancelled", "expired"] as const)("returns a question that was %s", async (status) => {
    const { daemon, answered } = asking();
    const session = await daemon.start();
    const asked = outcome(session.askHuman("Merge?"));
    await settle();
    answered({ status });
    await settle();
    expect(asked.value?.status).toBe(status);
    await session.close();
  });

  it("keeps the inbox copy of its answer from the handler, whichever comes first", async () => {
    for (const order of ["inbox", "poll"]) {
      const { daemon, answered } = asking();
      const session = await daemon.start();
      const handler = vi.fn();
      session.onMessage(handler);
      const asked = outcome(session.askHuman("Merge?"));
      await settle();
      if (order === "inbox") daemon.push(answer);
      await settle();
      answered({ status: "resolved", answer: "yes" });
      await settle();
      if (order === "poll") daemon.push(answer);
      await settle();
      expect(asked.value?.answer).toBe("yes");
      expect(handler).not.toHaveBeenCalled();
      expect(daemon.named("acknowledgeMessages").at(-1)?.input.messageIds).toEqual([answer.id]);
      await session.close();
    }
  });

  it("takes the copy out of an inbox without reader", async () => {
    const { daemon, answered } = asking();
    const session = await daemon.start();
    const asked = outcome(session.askHuman("Merge?"));
    await settle();
    daemon.push(answer);
    answered({ status: "resolved", answer: "yes" });
    await settle();
    expect(asked.value?.answer).toBe("yes");
    expect(daemon.named("acknowledgeMessages").at(-1)?.input.messageIds).toEqual([answer.id]);
    await session.close();
  });

  it("tells of a deferral, and keeps what else is told of a question apart from its answer", async () => {
    const { daemon, answered } = asking();
    let deferred: (fields: Partial<Escalation>) => void = () => {};
    const wait = daemon.script.getEscalation as never;
    daemon.script.getEscalation = () =>
      new Promise<Escalation>((resolve) => {
        deferred = (fields) => resolve(escalation(fields));
      });
    const session = await daemon.start();
    const [handler, onDeferred] = [vi.fn(), vi.fn()];
    session.onMessage(handler);
    const asked = outcome(session.askHuman("Merge?", { onDeferred }));
    await settle();
    daemon.push({ ...answer, id: "msg_notice", from: "intercom", fromKind: "system" });
    deferred({ deferredUntil: NOW });
    await settle();
    expect(onDeferred.mock.calls).toEqual([[escalation({ deferredUntil: NOW })]]);
    expect(handler.mock.calls.map(([{ id }]) => id)).toEqual(["msg_notice"]);
    deferred({ deferredUntil: NOW });
    await settle();
    expect(onDeferred, "the same once more").toHaveBeenCalledTimes(1);
    daemon.script.getEscalation = wait;
    deferred({});
    await settle();
    expect(onDeferred.mock.calls.at(-1)).toEqual([escalation()]);
    answered({ status: "resolved", answer: "yes" });
    await settle();
    expect(asked.value?.answer).toBe("yes");
    expect(onDeferred).toHaveBeenCalledTimes(2);
    await session.close();
  });

  it("hands an answer to the handler that the asker did not get", async () => {
    const { daemon, answered } = asking();
    const session = await daemon.start();
    const handler = vi.fn();
    session.onMessage(handler);
    const gaveUp = outcome(session.askHuman("Merge?", { timeoutMs: 1_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gaveUp.error).toMatchObject({ details: { reason: "timeout", escalationId: "ask_1" } });
    daemon.push(answer);
    await settle();
    expect(handler).toHaveBeenCalledTimes(1);
    const expired = outcome(session.askHuman("Merge?"));
    await settle();
    answered({ status: "expired" });
    await settle();
    expect(expired.value?.status).toBe("expired");
    daemon.push({ ...answer, id: "msg_late", about: { kind: "escalation", id: "ask_1", late: true } });
    await settle();
    expect(handler).toHaveBeenCalledTimes(2);
    await session.close();
  });
});
