import fc from "fast-check";
import { it } from "vitest";
import type { Bench } from "./bench.ts";
import { pick, runSteps, same, step, verdict } from "./commands.ts";
import { content } from "./invariants.ts";
import { MessageModel, type ModelAgent, type ModelMessage } from "./message-model.ts";

const index = fc.nat(9999);
const NAMES = ["ada", "bob", "cy"] as const;
/** Agents, or the human, by number. */
const PARTIES = [...NAMES, "human"] as const;

type Model = MessageModel;

function someone(model: Model, at: number): ModelAgent {
  return pick(model.agents, at) as ModelAgent;
}

/** What a call of this agent comes to before anything else is looked at. */
function refusal(agent: ModelAgent): string | undefined {
  return agent.alive ? undefined : "UNAUTHENTICATED expired";
}

function accepted(
  model: Model,
  message: Pick<ModelMessage, "id" | "from" | "to" | "mode" | "expiresAt">,
): ModelMessage {
  const toHuman = message.to === "human";
  const added: ModelMessage = {
    ...message,
    state: toHuman ? "delivered" : "queued",
    delivered: toHuman,
    deliveryCount: 0,
    retryAt: undefined,
    reservation: undefined,
    repliedBy: undefined,
  };
  model.messages.push(added);
  return added;
}

const send = step<Model, [number, number, boolean, number | undefined, number | undefined, number]>(
  "send",
  [
    index,
    index,
    fc.boolean(),
    fc.option(fc.constantFrom(1, 5000, 40_000, 600_000), { nil: undefined, freq: 2 }),
    fc.option(fc.nat(5), { nil: undefined, freq: 2 }),
    fc.nat(1),
  ],
  async (model, at, toAt, isRequest, expiresInMs, keyNo, variant) => {
    const agent = someone(model, at);
    const to = pick(PARTIES, toAt) as string;
    const mode = isRequest ? "request" : "notify";
    const key = keyNo === undefined ? undefined : `key-${keyNo}`;
    const input = {
      to,
      mode,
      body: content(`body ${variant}`),
      ...(to === "human" ? { toKind: "human" as const } : {}),
      ...(expiresInMs === undefined ? {} : { expiresInMs }),
      ...(key === undefined ? {} : { idempotencyKey: key }),
    } as const;
    const outcome = await model.bench.try("sendMessage", agent.token, input);
    const earlier = key === undefined ? undefined : model.keys.get(`${agent.id} ${key}`);
    const fingerprint = JSON.stringify([to, mode, variant, expiresInMs]);
    const expected = () => {
      if (refusal(agent)) return refusal(agent);
      if (earlier) return earlier.content === fingerprint ? "ok" : "CONFLICT";
      if (to === agent.id || (to === "human" && isRequest)) return "INVALID_ARGUMENT";
      return "ok";
    };
    same("sending", verdict(outcome), expected());
    if (!outcome.result) return;
    if (earlier) {
      same("the receipt of a repeated send", outcome.result.messageId, earlier.id);
      same("its state", outcome.result.state, model.message(earlier.id).state);
      return;
    }
    const { messageId } = outcome.result;
    const expiresAt = expiresInMs === undefined ? undefined : model.now + expiresInMs;
    accepted(model, { id: messageId, from: agent.id, to, mode, expiresAt });
    if (key !== undefined) model.keys.set(`${agent.id} ${key}`, { content: fingerprint, id: messageId });
  },
);

const sendAsHuman = step<Model, [number, boolean]>(
  "sendAsHuman",
  [index, fc.boolean()],
  async (model, at, isRequest) => {
    const to = someone(model, at).id;
    const mode = isRequest ? "request" : "notify";
    const body = content("from the human");
    const { messageId } = await model.bench.call("sendHumanMessage", model.scopeToken, { to, mode, body });
    accepted(model, { id: messageId, from: "human", to, mode, expiresAt: undefined });
  },
);

const respond = step<Model, [number, number]>("respond", [index, index], async (model, at, messageAt) => {
  const agent = someone(model, at);
  const open = model.messages.filter(({ mode, to, repliedBy }) => mode === "request" && to === agent.id && !repliedBy);
  const request = messageAt % 4 === 0 ? pick(model.messages, messageAt) : pick(open, messageAt);
  if (!request) return;
  const outcome = await model.bench.try("sendMessage", agent.token, {
    to: request.from,
    mode: "response",
    body: content("an answer"),
    responseTo: request.id,
    ...(request.from === "human" ? { toKind: "human" as const } : {}),
  });
  const expected = () => {
    if (refusal(agent)) return refusal(agent);
    if (request.mode !== "request" || request.to !== agent.id) return "NOT_FOUND";
    return request.repliedBy !== undefined || !request.delivered ? "CONFLICT" : "ok";
  };
  same("responding", verdict(outcome), expected());
  if (!outcome.result) return;
  const { messageId } = outcome.result;
  accepted(model, { id: messageId, from: agent.id, to: request.from, mode: "response", expiresAt: undefined });
  request.repliedBy = messageId;
});

const reserve = step<Model, [number, number]>("reserve", [index, fc.nat(4)], async (model, at, limit) => {
  const agent = someone(model, at);
  const outcome = await model.bench.try("reserveInbox", agent.token, { limit });
  same("reserving", verdict(outcome), refusal(agent) ?? "ok");
  if (outcome.error) return;
  const expected = model.next(agent.id, limit || 50);
  same(
    "what is reserved",
    outcome.result?.messages.map(({ id }) => id) ?? [],
    expected.map(({ id }) => id),
  );
  if (!outcome.result) return;
  const { id, messages } = outcome.result;
  same(
    "delivery counts",
    messages.map(({ deliveryCount }) => deliveryCount),
    expected.map(({ deliveryCount }) => deliveryCount),
  );
  model.reservations.push({
    id,
    agent: agent.id,
    token: agent.token,
    expiresAt: model.now + 30_000,
    state: "open",
    forgotten: false,
  });
  for (const message of expected) Object.assign(message, { state: "reserved", reservation: id, retryAt: undefined });
});

const commit = step<Model, [number, number]>("commit", [index, index], async (model, at, reservationAt) => {
  const open = model.reservations.filter(({ state }) => state === "open");
  const reservation = reservationAt % 4 === 0 ? pick(model.reservations, at) : pick(open, reservationAt);
  if (!reservation) return;
  const agent =
    at % 6 === 0 ? someone(model, at) : (model.agents.find(({ id }) => id === reservation.agent) as ModelAgent);
  const outcome = await model.bench.try("commitInbox", agent.token, { reservationId: reservation.id });
  const expected = () => {
    if (refusal(agent)) return refusal(agent);
    if (reservation.token !== agent.token) return "NOT_FOUND";
    return reservation.state === "open" || reservation.state === "committed" ? "ok" : "CONFLICT";
  };
  if (verdict(outcome) === "NOT_FOUND" && reservation.forgotten) return;
  same("committing", verdict(outcome), expected());
  if (!outcome.result) return;
  const held = model.messages.filter((message) => message.reservation === reservation.id);
  if (reservation.state === "open") {
    reservation.state = "committed";
    for (const message of held) {
      message.state = "delivered";
      message.delivered = true;
      message.deliveryCount += 1;
    }
  }
  same(
    "what is delivered",
    outcome.result.map(({ id, state, deliveryCount }) => [id, state, deliveryCount]),
    held.map(({ id, state, deliveryCount }) => [id, state, deliveryCount]),
  );
});

const release = step<Model, [number]>("release", [index], async (model, reservationAt) => {
  const reservation = pick(model.reservations.slice(-8), reservationAt);
  if (!reservation) return;
  const agent = model.agents.find(({ id }) => id === reservation.agent) as ModelAgent;
  const outcome = await model.bench.try("releaseInbox", agent.token, { reservationId: reservation.id });
  same("releasing", verdict(outcome), refusal(agent) ?? "ok");
  if (!outcome.error && reservation.token === agent.token && reservation.state === "open") {
    model.free(reservation, "released");
  }
});

/** Some message that is likely to be the agent's to deal with. */
function mine(model: Model, agent: ModelAgent, at: number): ModelMessage | undefined {
  const open = model.messages.filter((message) => model.openDelivery(message, agent.id));
  return at % 5 === 0 ? pick(model.messages, at) : (pick(open, at) ?? pick(model.messages, at));
}

const acknowledge = step<Model, [number, number[]]>(
  "acknowledge",
  [index, fc.array(index, { maxLength: 4 })],
  async (model, at, messagesAt) => {
    const agent = someone(model, at);
    const messages = new Set(
      messagesAt.map((messageAt) => mine(model, agent, messageAt)).filter((m) => m !== undefined),
    );
    const messageIds = [...messages].map(({ id }) => id);
    const outcome = await model.bench.try("acknowledgeMessages", agent.token, {
      messageIds: [...messageIds, "msg_unknown"],
    });
    same("acknowledging", verdict(outcome), refusal(agent) ?? "ok");
    if (!outcome.result) return;
    const open = [...messages].filter((message) => model.openDelivery(message, agent.id));
    same("how many", outcome.result.acknowledged, open.length);
    for (const message of open) model.finish(message, "acknowledged");
  },
);

const acknowledgeAsHuman = step<Model, [number]>("acknowledgeAsHuman", [index], async (model, at) => {
  const message = pick(model.messages, at);
  if (!message) return;
  const { acknowledged } = await model.bench.call("acknowledgeHumanMessages", model.scopeToken, {
    messageIds: [message.id],
  });
  const open = model.openDelivery(message, "human");
  same("how many", acknowledged, open ? 1 : 0);
  if (open) model.finish(message, "acknowledged");
});

const defer = step<Model, [number, number, number]>(
  "defer",
  [index, index, fc.constantFrom(0, 1000, 60_000)],
  async (model, at, messageAt, delayMs) => {
    const agent = someone(model, at);
    const message = mine(model, agent, messageAt);
    if (!message) return;
    const outcome = await model.bench.try("deferMessages", agent.token, { messageIds: [message.id], delayMs });
    same("deferring", verdict(outcome), refusal(agent) ?? "ok");
    if (!outcome.result) return;
    const open = model.openDelivery(message, agent.id);
    same("how many", outcome.result.deferred, open ? 1 : 0);
    if (open) Object.assign(message, { state: "delivered", reservation: undefined, retryAt: model.now + delayMs });
  },
);

const deadLetter = step<Model, [number, number]>("deadLetter", [index, index], async (model, at, messageAt) => {
  const agent = someone(model, at);
  const message = mine(model, agent, messageAt);
  if (!message) return;
  const reason = content("why it cannot be done");
  const outcome = await model.bench.try("deadLetterMessage", agent.token, { messageId: message.id, reason });
  const expected = () => {
    if (refusal(agent)) return refusal(agent);
    if (message.to !== agent.id) return "NOT_FOUND";
    return message.state === "dead_lettered" || model.openDelivery(message, agent.id) ? "ok" : "CONFLICT";
  };
  same("setting aside", verdict(outcome), expected());
  if (outcome.result) model.finish(message, "dead_lettered");
});

const requeue = step<Model, [number]>("requeue", [index], async (model, at) => {
  const dead = model.messages.filter(({ state }) => state === "dead_lettered");
  const message = at % 5 === 0 ? pick(model.messages, at) : pick(dead, at);
  if (!message) return;
  const outcome = await model.bench.try("requeueMessage", model.scopeToken, { messageId: message.id });
  same("requeueing", verdict(outcome), message.state === "dead_lettered" ? "ok" : "CONFLICT");
  if (!outcome.result) return;
  const over = message.expiresAt !== undefined && message.expiresAt <= model.now;
  Object.assign(message, {
    state: "queued",
    delivered: false,
    deliveryCount: 0,
    ...(over ? { expiresAt: undefined } : {}),
  });
});

const receipt = step<Model, [number, number]>("receipt", [index, index], async (model, at, messageAt) => {
  const agent = someone(model, at);
  const message = pick(model.messages, messageAt);
  if (!message) return;
  const outcome = await model.bench.try("getReceipt", agent.token, { messageId: message.id });
  const known = message.from === agent.id || message.to === agent.id;
  same("asking for a receipt", verdict(outcome), refusal(agent) ?? (known ? "ok" : "NOT_FOUND"));
  if (!outcome.result) return;
  const { state, responseMessageId, deliveredAt, recipient } = outcome.result;
  same(
    "the receipt",
    [state, responseMessageId, deliveredAt !== undefined],
    [message.state, message.repliedBy, message.delivered],
  );
  const reachable = model.agents.find(({ id }) => id === message.to)?.alive;
  same("what is known of the recipient", recipient?.reachable, message.state === "queued" ? reachable : undefined);
});

const register = step<Model, [number]>("register", [index], (model, at) => model.register(someone(model, at).id));

const retire = step<Model, [number]>("retire", [index], async (model, at) => {
  const agent = someone(model, at);
  // One that has ended already is retired once more, which says the same again.
  const outcome = await model.bench.try("retire", agent.token, {});
  same("retiring", verdict(outcome), "ok");
  if (!agent.alive) return;
  model.end(agent);
  await model.register(agent.id);
});

const heartbeat = step<Model, [number]>("heartbeat", [index], async (model, at) => {
  const agent = someone(model, at);
  const outcome = await model.bench.try("heartbeat", agent.token, {
    lifecycle: "working",
    ready: true,
    leaseMs: 3_600_000,
  });
  same("a heartbeat", verdict(outcome), refusal(agent) ?? "ok");
  if (outcome.result) agent.leaseExpiresAt = model.now + 3_600_000;
});

const pass = step<Model, [number]>(
  "pass",
  [fc.constantFrom(1, 999, 5000, 29_999, 30_001, 61_000, 600_000, 3_600_000)],
  async (model, ms) => {
    await model.bench.pass(ms);
    model.settle();
  },
);

/** Longer than any lease and than ended reservations are remembered. Most agents come back. */
const passADay = step<Model, [number]>("passADay", [index], async (model, at) => {
  await model.bench.pass(90_000_000);
  model.settle();
  for (const name of NAMES) if (name !== pick(NAMES, at)) await model.register(name);
});

const jump = step<Model, [number]>(
  "jump",
  [fc.constantFrom(-86_400_000, -3_600_000, 3_600_000, 86_400_000)],
  async (model, ms) => {
    await model.bench.jump(ms);
    model.jump(ms);
    model.settle();
  },
);

async function setUp(bench: Bench): Promise<Model> {
  const { scopeToken } = await bench.admin("createScope", { id: "s", linkPolicy: "open" });
  const model = new MessageModel(bench, scopeToken);
  for (const name of NAMES) await model.register(name);
  return model;
}

/** Weights: mostly traffic, now and then something that upsets it. */
const kinds = [
  ...Array.from({ length: 4 }, () => [send, reserve, commit]).flat(),
  ...Array.from({ length: 2 }, () => [respond, acknowledge, receipt, defer, deadLetter, requeue]).flat(),
  ...[sendAsHuman, acknowledgeAsHuman, release, register, retire, heartbeat, pass, pass, pass, passADay, jump],
];

it("messages do what the model of them says, whatever happens in whatever order", async () => {
  await runSteps<Model>(kinds, { runs: 16, steps: 800 }, setUp, async (model) => model.compare());
}, 120_000);

it("nothing is lost: in the end every message can be taken out and dealt with", async () => {
  await runSteps<Model>(kinds, { runs: 8, steps: 400 }, setUp, emptyEverything);
}, 120_000);

/** Everything a recipient still owes something comes out of its inbox, once each, and nothing is left. */
async function emptyEverything(model: Model): Promise<void> {
  for (const { id } of model.agents) await model.register(id);
  // Whatever was put off is due by then.
  await model.bench.pass(3_600_001);
  model.settle();
  for (const agent of model.agents) {
    const expected = model.messages.filter(
      ({ to, state }) => to === agent.id && (state === "queued" || state === "delivered"),
    );
    const got: string[] = [];
    for (;;) {
      const reservation = await model.bench.call("reserveInbox", agent.token, { limit: 7 });
      if (!reservation) break;
      await model.bench.call("commitInbox", agent.token, { reservationId: reservation.id });
      const messageIds = reservation.messages.map(({ id }) => id);
      got.push(...messageIds);
      same("how many", await model.bench.call("acknowledgeMessages", agent.token, { messageIds }), {
        acknowledged: messageIds.length,
      });
    }
    same("what was left", got.toSorted(), expected.map(({ id }) => id).toSorted());
  }
  same("active messages", model.bench.rows("SELECT active_messages AS n FROM scopes"), [{ n: 0 }]);
}
