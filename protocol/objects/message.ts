import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { text, utf8Length } from "../text.ts";

export const MESSAGE_MODES = ["notify", "request", "response"] as const;
export const messageMode = oneOf(MESSAGE_MODES);
export type MessageMode = (typeof MESSAGE_MODES)[number];

export const MESSAGE_STATES = ["queued", "reserved", "delivered", "acknowledged", "expired", "dead_lettered"] as const;
export const messageState = oneOf(MESSAGE_STATES);
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Who stands at either end of a message. `system` is the daemon itself: notices, never instructions. */
export const PARTY_KINDS = ["agent", "human", "system", "a2aPrincipal"] as const;
export const partyKind = oneOf(PARTY_KINDS);
export type PartyKind = (typeof PARTY_KINDS)[number];

/** Id the human has as a party of a message. */
export const HUMAN_PARTY = "human";
/** Id the daemon has as the sender of its notices. */
export const SYSTEM_PARTY = "intercom";

export const contextItem = z
  .strictObject({
    kind: oneOf(["text", "file", "url", "reference"]),
    title: text(LIMITS.contextTitleBytes),
    text: text(LIMITS.contextTextBytes, 0).optional(),
    uri: text(LIMITS.contextUriBytes, 0).optional(),
    mediaType: text(LIMITS.contextTotalBytes, 0).optional(),
  })
  .meta({ id: "ContextItem", description: "A bounded piece of context. It informs; it grants nothing." });
export type ContextItem = z.output<typeof contextItem>;

function contextBytes(items: readonly ContextItem[]): number {
  return items.reduce(
    (total, item) =>
      total + [item.title, item.text, item.uri, item.mediaType].reduce((sum, part) => sum + utf8Length(part ?? ""), 0),
    0,
  );
}

export const context = z
  .array(contextItem)
  .max(LIMITS.contextItems, { error: `expected at most ${LIMITS.contextItems} context items` })
  .refine((items) => contextBytes(items) <= LIMITS.contextTotalBytes, {
    error: `expected at most ${LIMITS.contextTotalBytes} bytes of context in total`,
  })
  .meta({ description: `At most ${LIMITS.contextTotalBytes} bytes of text in total.` });

/** The resource a message tells about, so that a client can link to it. */
export const messageSubject = z
  .object({ kind: oneOf(["escalation", "task", "linkRequest"]), id: identifier, late: z.boolean().optional() })
  .meta({ id: "MessageSubject" });
export type MessageSubject = z.output<typeof messageSubject>;

export const message = z
  .object({
    id: identifier,
    scopeId: identifier,
    from: identifier,
    fromKind: partyKind,
    to: identifier,
    toKind: partyKind,
    mode: messageMode,
    body: z.string(),
    context: z.array(contextItem),
    responseTo: identifier.optional(),
    about: messageSubject.optional(),
    state: messageState,
    deliveryCount: z.int().meta({ description: "How often the recipient has committed to this message." }),
    createdAt: instant,
    expiresAt: instant.optional(),
    retryAt: instant.optional().meta({ description: "Not handed out again before this instant." }),
    deliveredAt: instant.optional(),
    acknowledgedAt: instant.optional(),
    deadLetteredAt: instant.optional(),
    deadLetterReason: z.string().optional(),
    repliedAt: instant.optional(),
    responseMessageId: identifier.optional(),
  })
  .meta({ id: "Message" });
export type Message = z.output<typeof message>;

const party = z.object({ kind: partyKind, id: identifier });

/** Two parties who have written to each other, seen from outside. */
export const conversation = z
  .object({
    left: party,
    right: party,
    messages: z.int().meta({ description: "Those that are there, of both directions." }),
    undelivered: z.int().meta({ description: "Those whose recipient has not got them yet." }),
    unreadByHuman: z.int(),
    lastMessage: message,
  })
  .meta({ id: "Conversation" });
export type Conversation = z.output<typeof conversation>;

export const recipientPresence = z
  .object({ reachable: z.boolean(), ready: z.boolean(), lastSeenAt: instant })
  .meta({ id: "RecipientPresence", description: "Why a queued message waits: what is known of its recipient." });

export const receipt = z
  .object({
    messageId: identifier,
    state: messageState,
    acceptedAt: instant,
    deliveredAt: instant.optional(),
    acknowledgedAt: instant.optional(),
    deadLetteredAt: instant.optional(),
    deadLetterReason: z.string().optional(),
    repliedAt: instant.optional(),
    responseMessageId: identifier.optional(),
    recipient: recipientPresence.optional(),
  })
  .meta({ id: "Receipt" });
export type Receipt = z.output<typeof receipt>;

export const reservation = z
  .object({ id: identifier, expiresAt: instant, messages: z.array(message) })
  .meta({ id: "Reservation" });
export type Reservation = z.output<typeof reservation>;
