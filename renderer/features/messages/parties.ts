import { HUMAN_PARTY, type Message, type PartyKind } from "../../../protocol/objects/message.ts";

/** One end of a conversation. */
export interface Party {
  readonly kind: PartyKind;
  readonly id: string;
}

/** Two parties, in an order that does not depend on who wrote: whoever is no agent first, then by id. */
export interface Pair {
  readonly left: Party;
  readonly right: Party;
}

export const HUMAN: Party = { kind: "human", id: HUMAN_PARTY };

function comesFirst(a: Party, b: Party): boolean {
  if ((a.kind === "agent") !== (b.kind === "agent")) return a.kind !== "agent";
  return a.id <= b.id;
}

export function pairOf(a: Party, b: Party): Pair {
  return comesFirst(a, b) ? { left: a, right: b } : { left: b, right: a };
}

export function senderOf(message: Pick<Message, "from" | "fromKind">): Party {
  return { kind: message.fromKind, id: message.from };
}

export function recipientOf(message: Pick<Message, "to" | "toKind">): Party {
  return { kind: message.toKind, id: message.to };
}

const nameOf = ({ kind, id }: Party) => `${kind}/${id}`;

/** Names a conversation in its scope. */
export function pairKey({ left, right }: Pair): string {
  return `${nameOf(left)}~${nameOf(right)}`;
}

export function isBetween({ left, right }: Pair, message: Message): boolean {
  return pairKey(pairOf(senderOf(message), recipientOf(message))) === pairKey({ left, right });
}

/** The one agent the human writes to in this conversation; undefined when the human is not one of the two. */
export function agentWithHuman({ left, right }: Pair): string | undefined {
  return left.kind === "human" && right.kind === "agent" ? right.id : undefined;
}

/**
 * How to ask the daemon for a conversation. With the daemon's own notices or an outside client there is no question for the
 * pair alone: the agent's messages are read and those of others left out, so that a page may hold few.
 */
export function conversationQuery({ left, right }: Pair): { agent?: string; peer?: string; peerKind?: "human" } {
  if (right.kind !== "agent") return {};
  if (left.kind === "human") return { agent: right.id, peerKind: "human" };
  return left.kind === "agent" ? { agent: left.id, peer: right.id } : { agent: right.id };
}
