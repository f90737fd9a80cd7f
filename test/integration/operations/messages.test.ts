import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

const bodies = (messages: readonly { body: string }[]) => messages.map(({ body }) => body);

test("a message goes from sent to acknowledged, and every step shows in receipt and events", async () => {
  const scope = await intercom().scope();
  const [a, b] = await scope.agents("a", "b");
  await b.ready();
  const acceptedAt = intercom().clock.instant();
  const context = [{ kind: "file" as const, title: "diff", uri: "file:///w/a.ts", text: "x", mediaType: "text/plain" }];
  let messageId = "";
  const parties = { from: "a", to: "b", mode: "notify" };

  const sent = await scope.eventsOf(async () => {
    const receipt = await a.call("sendMessage", { to: "b", body: "hello ü 😀", context });
    ({ messageId } = receipt);
    expect(receipt).toEqual({
      messageId: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      state: "queued",
      acceptedAt,
      recipient: { reachable: true, ready: true, lastSeenAt: acceptedAt },
    });
  });
  const accepted = { ...parties, fromKind: "agent", toKind: "agent", state: "queued" };
  expect(sent).toEqual([["message.accepted", messageId, accepted]]);

  await intercom().advance(1000);
  let reservationId = "";
  const reserved = await scope.eventsOf(async () => {
    const reservation = await b.call("reserveInbox", {});
    reservationId = reservation?.id ?? "";
    expect(reservation).toEqual({
      id: expect.stringMatching(/^res_[0-9a-f]{32}$/),
      expiresAt: intercom().clock.instant(LIMITS.reservationMs),
      messages: [
        {
          id: messageId,
          scopeId: scope.id,
          ...parties,
          fromKind: "agent",
          toKind: "agent",
          body: "hello ü 😀",
          context,
          state: "reserved",
          deliveryCount: 0,
          createdAt: acceptedAt,
        },
      ],
    });
    expect(await a.call("getReceipt", { messageId })).toEqual({ messageId, state: "reserved", acceptedAt });
    // What is reserved is nobody else's.
    expect(await b.call("reserveInbox", {})).toBeNull();
  });
  expect(reserved).toEqual([["message.reserved", messageId, { ...parties, state: "reserved" }]]);

  const deliveredAt = intercom().clock.instant();
  const delivered = await scope.eventsOf(async () => {
    const [message] = await b.call("commitInbox", { reservationId });
    expect(message).toMatchObject({ state: "delivered", deliveryCount: 1, deliveredAt });
    // A lost answer is asked for again.
    expect(await b.call("commitInbox", { reservationId })).toEqual([message]);
  });
  expect(delivered).toEqual([["message.delivered", messageId, { ...parties, state: "delivered" }]]);
  expect(await a.call("getReceipt", { messageId })).toEqual({ messageId, state: "delivered", acceptedAt, deliveredAt });

  await intercom().advance(1);
  const acknowledgedAt = intercom().clock.instant();
  const acknowledged = await scope.eventsOf(async () => {
    const messageIds = [messageId, "msg_unknown", messageId];
    expect(await b.call("acknowledgeMessages", { messageIds })).toEqual({ acknowledged: 1 });
    expect(await b.call("acknowledgeMessages", { messageIds })).toEqual({ acknowledged: 0 });
  });
  expect(acknowledged).toEqual([["message.acknowledged", messageId, { ...parties, state: "acknowledged" }]]);
  for (const party of [a, b]) {
    expect(await party.call("getReceipt", { messageId })).toEqual({
      messageId,
      state: "acknowledged",
      acceptedAt,
      deliveredAt,
      acknowledgedAt,
    });
  }
  expect(await b.pull()).toEqual([]);
});

describe("the inbox", () => {
  test("gives messages in the order they were sent, as many as asked for", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    for (let n = 0; n < 52; n += 1) await a.tell(b, { body: `${n}` });
    const expected = Array.from({ length: 52 }, (_, n) => `${n}`);
    expect(bodies(await b.pull({ limit: 1 }))).toEqual(expected.slice(0, 1));
    // 0 means 50. What was delivered and not acknowledged comes after what is new.
    expect(bodies(await b.pull({ limit: 0 }))).toEqual(expected.slice(1, 51));
    expect(bodies(await b.pull({ limit: 1 }))).toEqual(expected.slice(51));
    expect(bodies(await b.pull({ limit: 100 }))).toEqual(expected);
  });

  test("is empty for everybody but the recipient", async () => {
    const [a, b, c] = await (await intercom().scope()).agents("a", "b", "c");
    await a.tell(b);
    for (const other of [a, c]) expect(await other.call("reserveInbox", {})).toBeNull();
  });

  test("gives a message again that was delivered and not acknowledged", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const id = await a.tell(b);
    const [first] = await b.pull();
    await intercom().advance(5000);
    const [second] = await b.pull();
    expect(second).toMatchObject({ id, deliveryCount: 2, deliveredAt: first?.deliveredAt });
    // It may be acknowledged while it is on its way again.
    await b.call("reserveInbox", {});
    expect(await b.call("acknowledgeMessages", { messageIds: [id] })).toEqual({ acknowledged: 1 });
    expect(await b.pull()).toEqual([]);
  });

  test("takes reserved messages back, for redelivery in the state they had", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    await a.tell(b, { body: "old" });
    await b.pull();
    await a.tell(b, { body: "new" });
    const reservation = await b.call("reserveInbox", {});
    const reservationId = reservation?.id ?? "";
    const events = await scope.eventsOf(async () => {
      expect(await b.call("releaseInbox", { reservationId })).toEqual({ released: true });
      expect(await b.call("releaseInbox", { reservationId })).toEqual({ released: true });
      expect(await b.call("releaseInbox", { reservationId: "res_unknown" })).toEqual({ released: true });
    });
    expect(events.map(([type, , { state }]) => [type, state])).toEqual([
      ["message.released", "delivered"],
      ["message.released", "queued"],
    ]);
    const refusal = await b.refused("commitInbox", { reservationId });
    expect(refusal).toMatchObject({ code: "CONFLICT", details: { state: "released" } });
    expect(bodies(await b.pull({ limit: 1 }))).toEqual(["new"]);
  });

  test("takes a reservation back after 30 seconds", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const id = await a.tell(b);
    const reservation = await b.call("reserveInbox", {});
    const reservationId = reservation?.id ?? "";
    await intercom().advance(LIMITS.reservationMs - 1);
    expect(await b.call("reserveInbox", {})).toBeNull();
    const events = await scope.eventsOf(() => intercom().advance(1));
    expect(events).toEqual([["message.released", id, { from: "a", to: "b", mode: "notify", state: "queued" }]]);
    expect(await b.refused("commitInbox", { reservationId })).toMatchObject({
      code: "CONFLICT",
      details: { state: "expired" },
    });
    expect(await b.refused("commitInbox", { reservationId: "res_unknown" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await b.pull()).toHaveLength(1);
  });

  test("survives a restart, reservations included", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    await a.tell(b, { body: "kept" });
    const reservation = await b.call("reserveInbox", {});
    await intercom().restart();
    expect(await b.call("reserveInbox", {})).toBeNull();
    expect(bodies(await b.call("commitInbox", { reservationId: reservation?.id ?? "" }))).toEqual(["kept"]);
  });

  test("wakes whoever waits for it", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const waiting = b.pull({ waitMs: 25_000 });
    await a.tell(b, { body: "wake up" });
    expect(bodies(await waiting)).toEqual(["wake up"]);
  });

  test("gives a message to one of those who wait", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const waiting = Array.from({ length: 5 }, () => b.call("reserveInbox", { waitMs: 60 }));
    await a.tell(b);
    expect((await Promise.all(waiting)).filter((reservation) => reservation !== null)).toHaveLength(1);
  });

  test("answers null when nothing comes in time", async () => {
    const [, b] = await (await intercom().scope()).agents("a", "b");
    const started = performance.now();
    expect(await b.call("reserveInbox", { waitMs: 50 })).toBeNull();
    expect(performance.now() - started).toBeGreaterThan(45);
  });
});

describe("a request", () => {
  test("takes one response, which links back to it", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const request = await a.tell(b, { mode: "request", body: "well?" });
    await b.drain();
    const repliedAt = intercom().clock.instant();
    let response = "";
    const events = await scope.eventsOf(async () => {
      response = await b.tell(a, { mode: "response", responseTo: request, body: "well!" });
    });
    expect(events).toEqual([
      [
        "message.accepted",
        response,
        {
          from: "b",
          fromKind: "agent",
          to: "a",
          toKind: "agent",
          mode: "response",
          state: "queued",
          responseTo: request,
        },
      ],
      ["message.replied", request, { responseMessageId: response, from: "b", to: "a" }],
    ]);
    expect(await a.pull()).toMatchObject([{ id: response, mode: "response", responseTo: request, body: "well!" }]);
    expect(await a.call("getReceipt", { messageId: request })).toMatchObject({
      repliedAt,
      responseMessageId: response,
    });
    const again = { to: "a", mode: "response", responseTo: request, body: "and another thing" };
    expect(await b.refused("sendMessage", again)).toMatchObject({ code: "CONFLICT" });
  });

  test("is answered by the one it was sent to, and to the one who sent it", async () => {
    const [a, b, c] = await (await intercom().scope()).agents("a", "b", "c");
    const request = await a.tell(b, { mode: "request" });
    const note = await a.tell(b);
    await b.pull();
    const response = { body: "r", mode: "response", responseTo: request };
    expect(await c.refused("sendMessage", { ...response, to: "a" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await b.refused("sendMessage", { ...response, to: "c" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await a.refused("sendMessage", { ...response, to: "b" })).toMatchObject({ code: "NOT_FOUND" });
    const toNote = { ...response, to: "a", responseTo: note };
    expect(await b.refused("sendMessage", toNote)).toMatchObject({ code: "NOT_FOUND" });
    const toNothing = { ...response, to: "a", responseTo: "msg_unknown" };
    expect(await b.refused("sendMessage", toNothing)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("is answered after it was delivered, not before", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const request = await a.tell(b, { mode: "request" });
    const response = { to: "a", body: "r", mode: "response", responseTo: request };
    const early = { code: "CONFLICT", message: "The request has not been delivered yet" };
    expect(await b.refused("sendMessage", response)).toMatchObject(early);
    await b.call("reserveInbox", {});
    expect(await b.refused("sendMessage", response)).toMatchObject(early);
  });

  test("that expired may be answered if it had been delivered", async () => {
    const [a, b] = await (await intercom().scope()).agents("a", "b");
    const delivered = await a.tell(b, { mode: "request", expiresInMs: 1000 });
    await b.pull();
    const missed = await a.tell(b, { mode: "request", expiresInMs: 1000 });
    await intercom().advance(1000);
    await b.tell(a, { mode: "response", responseTo: delivered });
    expect(await a.call("getReceipt", { messageId: delivered })).toMatchObject({ state: "expired" });
    const late = { to: "a", body: "r", mode: "response", responseTo: missed };
    expect(await b.refused("sendMessage", late)).toMatchObject({
      code: "CONFLICT",
      message: "The request expired before it was delivered",
    });
  });

  test("is permission enough to answer it", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const request = await a.tell(b, { mode: "request" });
    await b.pull();
    await scope.call("unlinkAgents", { left: "a", right: "b" });
    expect(await b.refused("sendMessage", { to: "a", body: "b" })).toMatchObject({ code: "PERMISSION_DENIED" });
    await b.tell(a, { mode: "response", responseTo: request });
  });
});

test("a message to an agent that is not there waits, and its receipt says why", async () => {
  const scope = await intercom().scope();
  const [a, b] = await scope.agents("a", "b");
  await b.call("retire", {});
  const lastSeenAt = intercom().clock.instant();
  await intercom().advance(1000);
  expect(await a.call("sendMessage", { to: "b", body: "b" })).toMatchObject({
    state: "queued",
    recipient: { reachable: false, ready: false, lastSeenAt },
  });
  const back = await scope.agent("b");
  expect(await back.pull()).toHaveLength(1);
});
