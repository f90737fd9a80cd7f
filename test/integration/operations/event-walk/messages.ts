import { endings } from "./members.ts";
import { BY_SCOPE, delivery, type Row, row } from "./rows.ts";
import type { Stage } from "./stage.ts";

const accepted = (more: Readonly<Record<string, string>> = {}) => ({
  ...delivery("queued"),
  fromKind: "agent",
  toKind: "agent",
  ...more,
});

const contextOf = (stage: Stage) => [{ kind: "text" as const, title: stage.text(), text: stage.text() }];

const beginnings: readonly Row[] = [
  row(["Delivery: [*] --> queued: sendMessage", "Reply: [*] --> unanswered: sendMessage"], async (stage) => {
    const input = { to: "ben", mode: "request" as const, body: stage.text(), context: contextOf(stage) };
    return stage.call(stage.ada, "sendMessage", input, ({ messageId }) => [
      ["message.accepted", messageId, accepted({ mode: "request" })],
    ]);
  }),
  row(["Delivery: [*] --> queued: sendHumanMessage", "Reply: [*] --> unanswered: sendHumanMessage"], async (stage) => {
    const input = { to: "ben", mode: "request" as const, body: stage.text() };
    const expected = accepted({ from: "human", fromKind: "human", mode: "request", ...BY_SCOPE });
    return stage.call(stage.scope, "sendHumanMessage", input, ({ messageId }) => [
      ["message.accepted", messageId, expected],
    ]);
  }),
  row("Delivery: [*] --> delivered: sendMessage", async (stage) => {
    const input = { to: "human", toKind: "human" as const, body: stage.text() };
    return stage.call(stage.ada, "sendMessage", input, ({ messageId }) => [
      ["message.accepted", messageId, accepted({ to: "human", toKind: "human", state: "delivered" })],
    ]);
  }),
  row("Reply: unanswered --> answered: sendMessage", async (stage) => {
    const request = await stage.delivered({ mode: "request" });
    const input = { to: "ada", mode: "response" as const, responseTo: request, body: stage.text() };
    return stage.call(stage.ben, "sendMessage", input, ({ messageId }) => [
      ["message.accepted", messageId, accepted({ from: "ben", to: "ada", mode: "response", responseTo: request })],
      ["message.replied", request, { responseMessageId: messageId, from: "ben", to: "ada" }],
    ]);
  }),
];

const RESPONSE_DELIVERED = { ...delivery("delivered"), from: "ben", to: "ada", mode: "response" };

const reservations: readonly Row[] = [
  row("Delivery: queued --> reserved: reserveInbox", async (stage) => {
    const ids = [await stage.send(), await stage.send()];
    return stage.call(stage.ben, "reserveInbox", {}, () =>
      ids.map((id) => ["message.reserved", id, delivery("reserved")] as const),
    );
  }),
  row("Delivery: queued --> delivered: takeResponse", async (stage) => {
    const { request, response } = await stage.answered();
    return stage.call(stage.ada, "takeResponse", { messageId: request }, () => [
      ["message.delivered", response, RESPONSE_DELIVERED],
    ]);
  }),
  row("Delivery: reserved --> delivered: takeResponse", async (stage) => {
    const { request, response } = await stage.answered();
    await stage.ada.call("reserveInbox", {});
    return stage.call(stage.ada, "takeResponse", { messageId: request }, () => [
      ["message.delivered", response, RESPONSE_DELIVERED],
    ]);
  }),
  row("Delivery: delivered --> reserved: reserveInbox", async (stage) => {
    const id = await stage.delivered();
    return stage.call(stage.ben, "reserveInbox", {}, () => [["message.reserved", id, delivery("reserved")]]);
  }),
  row("Delivery: reserved --> delivered: commitInbox", async (stage) => {
    const { messageId, reservationId } = await stage.reserved();
    return stage.call(stage.ben, "commitInbox", { reservationId }, () => [
      ["message.delivered", messageId, delivery("delivered")],
    ]);
  }),
  ...(["queued", "delivered"] as const).flatMap((state) => {
    const hold = (stage: Stage) => (state === "queued" ? stage.reserved() : stage.redelivered());
    return [
      row(`Delivery: reserved --> ${state}: releaseInbox`, async (stage) => {
        const { messageId, reservationId } = await hold(stage);
        return stage.call(stage.ben, "releaseInbox", { reservationId }, () => [
          ["message.released", messageId, delivery(state)],
        ]);
      }),
      row(`Delivery: reserved --> ${state}: time`, async (stage) => {
        const { messageId } = await hold(stage);
        return stage.passes(30_000, () => [["message.released", messageId, delivery(state)]]);
      }),
      ...endings("Delivery", "reserved", state, async (stage) => {
        const { messageId } = await hold(stage);
        return (_cause, actor) => [["message.released", messageId, { ...delivery(state), ...actor }]];
      }),
    ];
  }),
];

const fates: readonly Row[] = (["delivered", "reserved"] as const).flatMap((from) => {
  const message = async (stage: Stage) =>
    from === "delivered" ? await stage.delivered() : (await stage.redelivered()).messageId;
  return [
    row(`Delivery: ${from} --> acknowledged: acknowledgeMessages`, async (stage) => {
      const id = await message(stage);
      return stage.call(stage.ben, "acknowledgeMessages", { messageIds: [id] }, () => [
        ["message.acknowledged", id, delivery("acknowledged")],
      ]);
    }),
    row(`Delivery: ${from} --> delivered: deferMessages`, async (stage) => {
      const id = await message(stage);
      const retryAt = stage.intercom.clock.instant(60_000);
      return stage.call(stage.ben, "deferMessages", { messageIds: [id], delayMs: 60_000 }, () => [
        ["message.deferred", id, { ...delivery("delivered"), retryAt }],
      ]);
    }),
    row(`Delivery: ${from} --> dead_lettered: deadLetterMessage`, async (stage) => {
      const id = await message(stage);
      return stage.call(stage.ben, "deadLetterMessage", { messageId: id, reason: stage.text() }, () => [
        ["message.dead_lettered", id, delivery("dead_lettered")],
      ]);
    }),
  ];
});

const ends: readonly Row[] = [
  row("Delivery: delivered --> acknowledged: acknowledgeHumanMessages", async (stage) => {
    const id = await stage.ada.tell("human", { toKind: "human", body: stage.text() });
    return stage.call(stage.scope, "acknowledgeHumanMessages", { messageIds: [id] }, () => [
      ["message.acknowledged", id, { ...delivery("acknowledged"), to: "human", ...BY_SCOPE }],
    ]);
  }),
  row("Delivery: dead_lettered --> queued: requeueMessage", async (stage) => {
    const messageId = await stage.delivered();
    await stage.ben.call("deadLetterMessage", { messageId, reason: stage.text() });
    return stage.call(stage.scope, "requeueMessage", { messageId }, () => [
      ["message.requeued", messageId, { ...delivery("queued"), ...BY_SCOPE }],
    ]);
  }),
  row("Delivery: queued --> expired: time", async (stage) => {
    const id = await stage.send({ expiresInMs: 1000 });
    return stage.passes(1000, () => [["message.expired", id, delivery("expired")]]);
  }),
  row("Delivery: reserved --> expired: time", async (stage) => {
    const { messageId } = await stage.reserved({ expiresInMs: 1000 });
    return stage.passes(1000, () => [["message.expired", messageId, delivery("expired")]]);
  }),
  row("Delivery: delivered --> expired: time", async (stage) => {
    const id = await stage.delivered({ expiresInMs: 1000 });
    return stage.passes(1000, () => [["message.expired", id, delivery("expired")]]);
  }),
];

export const messageRows: readonly Row[] = [...beginnings, ...reservations, ...fates, ...ends];
