import type { Agent } from "../../../protocol/objects/agent.ts";
import type { Message } from "../../../protocol/objects/message.ts";

/** How far a message has come, and why no further. Each has a sentence in the catalogue, with these instants and texts. */
export type Delivery =
  /** The recipient is there and has not fetched it yet. */
  | { readonly kind: "queued" }
  | { readonly kind: "queued-unreachable"; readonly since: string }
  /** Reachable, but it says that it takes nothing at the moment. */
  | { readonly kind: "queued-not-ready" }
  /** The recipient is not on the list: it was removed, or never registered here. */
  | { readonly kind: "queued-unknown" }
  /** Handed back by the recipient, or waiting for a new attempt. */
  | { readonly kind: "retry"; readonly at: string }
  | { readonly kind: "reserved" }
  | { readonly kind: "delivered"; readonly at: string; readonly times: number }
  | { readonly kind: "acknowledged"; readonly at: string }
  | { readonly kind: "expired"; readonly at: string }
  | { readonly kind: "dead-lettered"; readonly at: string; readonly reason: string | undefined };

/** What is told of a message, from what it says itself and what is known of its recipient now. */
export function deliveryOf(message: Message, recipient: Agent | undefined, nowMs: number): Delivery {
  const { state, createdAt } = message;
  switch (state) {
    case "queued":
      return queued(message, recipient, nowMs);
    case "reserved":
      return { kind: "reserved" };
    case "delivered":
      return { kind: "delivered", at: message.deliveredAt ?? createdAt, times: message.deliveryCount };
    case "acknowledged":
      return { kind: "acknowledged", at: message.acknowledgedAt ?? createdAt };
    case "expired":
      return { kind: "expired", at: message.expiresAt ?? createdAt };
    case "dead_lettered":
      return { kind: "dead-lettered", at: message.deadLetteredAt ?? createdAt, reason: message.deadLetterReason };
  }
}

function queued(message: Message, recipient: Agent | undefined, nowMs: number): Delivery {
  if (message.retryAt !== undefined && Date.parse(message.retryAt) > nowMs)
    return { kind: "retry", at: message.retryAt };
  if (message.toKind !== "agent") return { kind: "queued" };
  if (!recipient) return { kind: "queued-unknown" };
  if (!recipient.reachable) return { kind: "queued-unreachable", since: recipient.lastSeenAt };
  return recipient.ready ? { kind: "queued" } : { kind: "queued-not-ready" };
}

/** `waiting`: nothing to do but wait. `stuck`: someone should look. */
export type DeliveryTone = "waiting" | "stuck" | "arrived" | "over";

export function toneOf({ kind }: Delivery): DeliveryTone {
  switch (kind) {
    case "queued":
    case "queued-not-ready":
    case "retry":
    case "reserved":
      return "waiting";
    case "queued-unreachable":
    case "queued-unknown":
    case "dead-lettered":
      return "stuck";
    case "delivered":
    case "acknowledged":
      return "arrived";
    case "expired":
      return "over";
  }
}
