import type { Message } from "../../../protocol/objects/message.ts";
import { sampleMessage } from "../sample.ts";
import { type Calls, contains, found, pageBefore } from "./calls.ts";

const sides = ({ from, fromKind, to, toKind }: Message) =>
  [
    { id: from, kind: fromKind },
    { id: to, kind: toKind },
  ].sort((left, right) => (left.id < right.id ? -1 : 1));

export const messageCalls: Calls = {
  listMessages(world, input, scopeId) {
    const { agent, peer } = input;
    const wanted = world.messages.filter((message) => {
      const both = [message.from, message.to];
      return (
        message.scopeId === scopeId &&
        (agent === undefined || both.includes(agent)) &&
        (peer === undefined || both.includes(peer)) &&
        (input.peerKind === undefined || [message.fromKind, message.toKind].includes(input.peerKind)) &&
        (input.state === undefined || message.state === input.state) &&
        contains(message.body, input.text)
      );
    });
    const { items, ...more } = pageBefore(wanted.reverse(), ({ id }) => id, input);
    return { messages: items, ...more };
  },
  listConversations(world, input, scopeId) {
    const byPair = new Map<string, Message[]>();
    for (const message of world.messages.filter((one) => one.scopeId === scopeId)) {
      const key = sides(message)
        .map(({ kind, id }) => `${kind} ${id}`)
        .join(" ");
      byPair.set(key, [...(byPair.get(key) ?? []), message]);
    }
    const all = [...byPair.values()].flatMap((messages) => {
      const lastMessage = messages.at(-1);
      const [left, right] = lastMessage ? sides(lastMessage) : [];
      if (!lastMessage || !left || !right) return [];
      const undelivered = messages.filter(({ state }) => state === "queued" || state === "reserved").length;
      const unreadByHuman = messages.filter(({ toKind, state }) => toKind === "human" && state === "delivered").length;
      return [{ left, right, messages: messages.length, undelivered, unreadByHuman, lastMessage }];
    });
    all.sort((left, right) => (left.lastMessage.createdAt < right.lastMessage.createdAt ? 1 : -1));
    const { items, ...more } = pageBefore(all, ({ lastMessage }) => lastMessage.id, input);
    return { conversations: items, ...more };
  },
  getMessage: (world, { messageId }) =>
    found(
      world.messages.find(({ id }) => id === messageId),
      messageId,
    ),
  sendHumanMessage(world, input, scopeId) {
    const { to } = input;
    const at = new Date().toISOString();
    const message = sampleMessage(() => at, {
      id: world.nextId("msg"),
      scopeId,
      from: "human",
      to,
      body: input.body,
      mode: input.mode ?? "notify",
      context: input.context ?? [],
      state: "queued",
      deliveryCount: 0,
    });
    world.messages.push(message);
    world.tell(scopeId, "message.accepted", message.id, { from: "human", fromKind: "human", to, toKind: "agent" });
    const agent = world.agent(scopeId, to);
    return {
      messageId: message.id,
      state: "queued",
      acceptedAt: at,
      ...(agent ? { recipient: { reachable: agent.reachable, ready: agent.ready, lastSeenAt: agent.lastSeenAt } } : {}),
    };
  },
  acknowledgeHumanMessages(world, { messageIds }, scopeId) {
    let acknowledged = 0;
    world.messages.forEach((message, index) => {
      if (!messageIds.includes(message.id) || message.state === "acknowledged") return;
      world.messages[index] = { ...message, state: "acknowledged", acknowledgedAt: new Date().toISOString() };
      acknowledged += 1;
      world.tell(scopeId, "message.acknowledged", message.id, { from: message.from, to: message.to });
    });
    return { acknowledged };
  },
  requeueMessage(world, { messageId }, scopeId) {
    const index = world.messages.findIndex(({ id }) => id === messageId);
    const { deadLetterReason: _reason, deadLetteredAt: _at, ...message } = found(world.messages[index], messageId);
    const again: Message = { ...message, state: "queued" };
    world.messages[index] = again;
    world.tell(scopeId, "message.requeued", messageId, { from: again.from, to: again.to });
    return again;
  },
};
