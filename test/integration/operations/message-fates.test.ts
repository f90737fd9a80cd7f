import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** What becomes of messages that are not simply dealt with. */

const intercom = useDaemon();

const bodies = (messages: readonly { body: string }[]) => messages.map(({ body }) => body);

describe("a message that expires", () => {
  test("is not delivered after its time", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const messageId = await a.tell(b, { expiresInMs: 30 });
    await intercom().advance(29);
    expect(await a.call("getReceipt", { messageId })).toMatchObject({ state: "queued" });
    const events = await scope.eventsOf(() => intercom().advance(1));
    expect(events).toEqual([["message.expired", messageId, { from: "a", to: "b", mode: "notify", state: "expired" }]]);
    expect(await b.pull()).toEqual([]);
    expect(await a.call("getReceipt", { messageId })).toMatchObject({ state: "expired" });
  });

  test("expires in somebody's hands, too", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const messageId = await a.tell(b, { expiresInMs: 1000 });
    const other = await a.tell(b);
    const reservation = await b.call("reserveInbox", {});
    await intercom().advance(1000);
    // Nothing of the reservation is lost but what has expired.
    const messages = await b.call("commitInbox", { reservationId: reservation?.id ?? "" });
    expect(messages.map(({ id }) => id)).toEqual([other]);
    expect(await b.call("acknowledgeMessages", { messageIds: [messageId] })).toEqual({ acknowledged: 0 });
  });

  test("expires after it was delivered and before it was acknowledged", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const messageId = await a.tell(b, { expiresInMs: 1000 });
    await b.pull();
    await intercom().advance(1000);
    expect(await b.call("acknowledgeMessages", { messageIds: [messageId] })).toEqual({ acknowledged: 0 });
    expect(await a.call("getReceipt", { messageId })).toMatchObject({
      state: "expired",
      deliveredAt: expect.any(String),
    });
  });

  test("stays when it says 0, or was acknowledged in time", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    await a.tell(b, { body: "for ever", expiresInMs: 0 });
    const done = await a.tell(b, { expiresInMs: 1000 });
    await b.pull();
    await b.call("acknowledgeMessages", { messageIds: [done] });
    await intercom().advance(1000);
    expect(await a.call("getReceipt", { messageId: done })).toMatchObject({ state: "acknowledged" });
    expect(bodies(await b.pull())).toEqual(["for ever"]);
  });

  test("expires while the daemon is down", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const messageId = await a.tell(b, { expiresInMs: 1000 });
    const restarted = intercom().restart();
    intercom().clock.advance(1000);
    await restarted;
    expect(await a.call("getReceipt", { messageId })).toMatchObject({ state: "expired" });
    expect(await b.pull()).toEqual([]);
  });
});

describe("a message that is put off", () => {
  test("comes again after its delay", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const id = await a.tell(b);
    await b.pull();
    const retryAt = intercom().clock.instant(60_000);
    const events = await scope.eventsOf(async () => {
      const deferred = await b.call("deferMessages", { messageIds: [id, "msg_unknown"], delayMs: 60_000 });
      expect(deferred).toEqual({ deferred: 1 });
    });
    expect(events).toEqual([
      ["message.deferred", id, { from: "a", to: "b", mode: "notify", state: "delivered", retryAt }],
    ]);
    expect(await scope.call("getMessage", { messageId: id })).toMatchObject({ state: "delivered", retryAt });
    await intercom().advance(59_999);
    expect(await b.pull()).toEqual([]);
    await intercom().advance(1);
    const [message] = await b.pull();
    expect(message).toMatchObject({ id, deliveryCount: 2 });
    expect(message).not.toHaveProperty("retryAt");
  });

  test("wakes whoever waits when its time has come", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const id = await a.tell(b);
    await b.pull();
    await b.call("deferMessages", { messageIds: [id], delayMs: 60_000 });
    const waiting = b.pull({ waitMs: 25_000 });
    expect(await b.call("reserveInbox", {})).toBeNull();
    await intercom().advance(60_000);
    expect(await waiting).toMatchObject([{ id }]);
  });

  test("may be put off while it is reserved again, and not before it was delivered", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const id = await a.tell(b);
    const defer = { messageIds: [id], delayMs: 0 };
    expect(await b.call("deferMessages", defer)).toEqual({ deferred: 0 });
    await b.pull();
    await b.call("reserveInbox", {});
    expect(await b.call("deferMessages", defer)).toEqual({ deferred: 1 });
    expect(await b.pull()).toMatchObject([{ id }]);
  });

  test("may be acknowledged meanwhile", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const id = await a.tell(b);
    await b.pull();
    await b.call("deferMessages", { messageIds: [id], delayMs: 1000 });
    expect(await b.call("acknowledgeMessages", { messageIds: [id] })).toEqual({ acknowledged: 1 });
    await intercom().advance(1000);
    expect(await b.pull()).toEqual([]);
  });
});

describe("a message that is set aside", () => {
  test("is not delivered again until the owner says so", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const id = await a.tell(b);
    await b.pull();
    const deadLetteredAt = intercom().clock.instant();
    const parties = { from: "a", to: "b", mode: "notify" };
    const set = await scope.eventsOf(async () => {
      const dead = await b.call("deadLetterMessage", { messageId: id, reason: "cannot read it" });
      expect(dead).toMatchObject({ state: "dead_lettered", deadLetteredAt, deadLetterReason: "cannot read it" });
      expect(await b.call("deadLetterMessage", { messageId: id, reason: "again" })).toEqual(dead);
    });
    expect(set).toEqual([["message.dead_lettered", id, { ...parties, state: "dead_lettered" }]]);
    expect(await b.pull()).toEqual([]);
    expect(await a.call("getReceipt", { messageId: id })).toMatchObject({
      state: "dead_lettered",
      deadLetteredAt,
      deadLetterReason: "cannot read it",
    });
    const dead = await scope.call("listMessages", { state: "dead_lettered" });
    expect(dead.messages.map((message) => message.id)).toEqual([id]);

    const waiting = b.pull({ waitMs: 25_000 });
    const requeued = await scope.eventsOf(async () => {
      const message = await scope.call("requeueMessage", { messageId: id });
      expect(message).toMatchObject({ state: "queued", deliveryCount: 0 });
      expect(message).not.toHaveProperty("deadLetterReason");
      expect(await waiting).toMatchObject([{ id, deliveryCount: 1 }]);
    });
    expect(requeued[0]).toEqual(["message.requeued", id, { ...parties, state: "queued", actor: "scope" }]);
    const again = await scope.refused("requeueMessage", { messageId: id });
    expect(again).toMatchObject({ code: "CONFLICT", details: { state: "delivered" } });
  });

  test("must have been delivered, and not be dealt with", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const id = await a.tell(b);
    const input = { messageId: id, reason: "no" };
    expect(await b.refused("deadLetterMessage", input)).toMatchObject({
      code: "CONFLICT",
      details: { state: "queued" },
    });
    await b.drain();
    expect(await b.refused("deadLetterMessage", input)).toMatchObject({
      code: "CONFLICT",
      details: { state: "acknowledged" },
    });
    expect(await a.refused("deadLetterMessage", input)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("still expires after it was requeued", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const id = await a.tell(b, { expiresInMs: 60_000 });
    await a.tell(b);
    await b.pull();
    await b.call("deadLetterMessage", { messageId: id, reason: "no" });
    // The daemon looks for the next deadline while this message has none.
    await b.call("reserveInbox", {});
    await intercom().advance(LIMITS.reservationMs);
    await scope.call("requeueMessage", { messageId: id });
    intercom().clock.advance(30_000);
    expect((await b.pull()).map((message) => message.id)).not.toContain(id);
    expect(await a.call("getReceipt", { messageId: id })).toMatchObject({ state: "expired" });
  });
});
