import { z } from "zod";
import { backwardPage, flag, forwardPage, integer, nextCursor, oneOf, waitMs } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { context, conversation, message, messageMode, messageState, receipt, reservation } from "../objects/message.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const outgoing = {
  to: identifier,
  body: text(LIMITS.messageBodyBytes),
  mode: messageMode.meta({ description: "`notify` unless told otherwise." }).optional(),
  responseTo: identifier.optional(),
  idempotencyKey: text(LIMITS.idempotencyKeyBytes)
    .meta({
      description: "Same key and content: the first receipt again. The `Idempotency-Key` header means the same.",
    })
    .optional(),
  expiresInMs: integer(0, LIMITS.messageExpiryMaxMs).meta({ description: "0 or absent: never." }).optional(),
  context: context.optional(),
};

const messageIds = z
  .array(identifier, { error: "expected a list of message ids" })
  .max(LIMITS.acknowledgeMessages, { error: `expected at most ${LIMITS.acknowledgeMessages} message ids` });

const messagePage = z.object({ messages: z.array(message), nextCursor });

/** Messages between agents, and between an agent and the human who owns the scope. */
export const messageOperations = {
  sendMessage: operation({
    summary: "Send a message to a peer, or to the human",
    description:
      "Accepted means stored. A `response` names the request it answers in `responseTo`; each request takes one. " +
      "The receipt of a queued message says what is known of the recipient.",
    method: "POST",
    path: "/v1/messages",
    authority: "agent",
    input: z.strictObject({
      ...outgoing,
      toKind: oneOf(["agent", "human"])
        .meta({ description: "`human` sends a note to the scope's owner; `to` is then `human`." })
        .optional(),
      unlessUnanswered: flag
        .meta({
          description:
            "With mode `request`: CONFLICT while another request of the caller to the same agent is unanswered.",
        })
        .optional(),
    }),
    result: receipt,
    status: 202,
    errors: ["NOT_FOUND", "PERMISSION_DENIED", "CONFLICT"],
    idempotency: "key",
  }),
  getReceipt: operation({
    summary: "How far a message has come",
    method: "GET",
    path: "/v1/messages/{messageId}",
    authority: "agent",
    input: z.strictObject({ messageId: identifier }),
    result: receipt,
    errors: ["NOT_FOUND"],
  }),
  acknowledgeMessages: operation({
    summary: "Say that messages are dealt with",
    description: "Unknown and already acknowledged ids count as 0.",
    method: "POST",
    path: "/v1/messages/ack",
    authority: "agent",
    input: z.strictObject({ messageIds }),
    result: z.object({ acknowledged: z.int() }),
    idempotency: "natural",
  }),
  deferMessages: operation({
    summary: "Hand delivered messages back to be delivered again later",
    method: "POST",
    path: "/v1/messages/defer",
    authority: "agent",
    input: z.strictObject({ messageIds, delayMs: integer(0, LIMITS.retryDelayMaxMs) }),
    result: z.object({ deferred: z.int() }),
    idempotency: "natural",
  }),
  deadLetterMessage: operation({
    summary: "Set a message aside that cannot be dealt with",
    description: "It is never delivered again by itself; the owner sees why and may requeue it.",
    method: "POST",
    path: "/v1/messages/{messageId}/dead-letter",
    authority: "agent",
    input: z.strictObject({ messageId: identifier, reason: text(LIMITS.reasonBytes) }),
    result: message,
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "natural",
  }),
  takeResponse: operation({
    summary: "Wait for the response to a request of one's own, and take it out of the inbox",
    description:
      "`null` when none came within `waitMs`; nothing else leaves the inbox. The response counts as delivered and wants to be " +
      "acknowledged. Repeating the call gives it again, whatever became of it. CONFLICT when none can come any more.",
    method: "POST",
    path: "/v1/messages/{messageId}/response",
    authority: "agent",
    input: z.strictObject({ messageId: identifier, waitMs }),
    result: message.nullable(),
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "natural",
    waits: true,
  }),
  listMyMessages: operation({
    summary: "The caller's own conversation, newest first",
    description:
      "With everybody, with the agent `peer`, or with `peerKind` `human` with the human. With `text` only messages whose body " +
      `holds it, whatever its case; such a page looks at ${LIMITS.searchedMessages} messages, so it may hold few or none and ` +
      "still have a `nextCursor`.",
    method: "GET",
    path: "/v1/me/messages",
    authority: "agent",
    input: z.strictObject({
      peer: identifier.optional(),
      peerKind: oneOf(["agent", "human"]).optional(),
      text: text(LIMITS.searchBytes).optional(),
      ...backwardPage,
    }),
    result: messagePage,
    errors: ["NOT_FOUND"],
  }),
  getMyMessage: operation({
    summary: "One message the caller sent or was sent, with its body",
    method: "GET",
    path: "/v1/me/messages/{messageId}",
    authority: "agent",
    input: z.strictObject({ messageId: identifier }),
    result: message,
    errors: ["NOT_FOUND"],
  }),
  listMyRequests: operation({
    summary: "Requests the caller has taken and not answered, oldest first",
    method: "GET",
    path: "/v1/me/requests",
    authority: "agent",
    input: z.strictObject(forwardPage),
    result: messagePage,
  }),
  reserveInbox: operation({
    summary: "Take messages out of the inbox for 30 seconds",
    description:
      "Messages never delivered before come first; delivered ones that were not acknowledged come again. `null` when " +
      "nothing came within `waitMs`. Commit what was received; what is not committed comes back.",
    method: "POST",
    path: "/v1/inbox/reserve",
    authority: "agent",
    input: z.strictObject({
      limit: integer(0, LIMITS.reserveMessages)
        .meta({ description: `0 or absent: ${LIMITS.reserveMessagesDefault}.` })
        .optional(),
      waitMs,
    }),
    result: reservation.nullable(),
    waits: true,
  }),
  commitInbox: operation({
    summary: "Confirm that reserved messages have arrived",
    method: "POST",
    path: "/v1/inbox/{reservationId}/commit",
    authority: "agent",
    input: z.strictObject({ reservationId: identifier }),
    result: z.array(message),
    errors: ["NOT_FOUND", "CONFLICT"],
  }),
  releaseInbox: operation({
    summary: "Give reserved messages back",
    method: "POST",
    path: "/v1/inbox/{reservationId}/release",
    authority: "agent",
    input: z.strictObject({ reservationId: identifier }),
    result: z.object({ released: z.literal(true) }),
    idempotency: "natural",
  }),
  sendHumanMessage: operation({
    summary: "Message an agent as the human who owns the scope",
    method: "POST",
    path: "/v1/scope/messages",
    authority: "scope",
    input: z.strictObject(outgoing),
    result: receipt,
    status: 202,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
  listMessages: operation({
    summary: "A conversation with bodies, newest first",
    description:
      "All of the scope, those of `agent`, or those between `agent` and `peer`. `peerKind` `human` narrows to the human's own " +
      "conversations, `state` to one delivery state, `text` as in `listMyMessages`.",
    method: "GET",
    path: "/v1/scope/messages",
    authority: "scope",
    input: z
      .strictObject({
        agent: identifier.optional(),
        peer: identifier.optional(),
        peerKind: oneOf(["agent", "human"]).optional(),
        state: messageState.optional(),
        text: text(LIMITS.searchBytes).optional(),
        ...backwardPage,
      })
      .refine((value) => value.peer === undefined || value.agent !== undefined, {
        error: "expected agent together with peer",
        path: ["agent"],
      })
      .meta({ dependentRequired: { peer: ["agent"] } }),
    result: messagePage,
  }),
  listConversations: operation({
    summary: "Who has written to whom, the one with the newest message first",
    description:
      "Parties are agents, the human, the daemon (`system`) and A2A clients; `left` and `right` say nothing about who began. " +
      "Only conversations with messages are listed.",
    method: "GET",
    path: "/v1/scope/conversations",
    authority: "scope",
    input: z.strictObject(backwardPage),
    result: z.object({ conversations: z.array(conversation), nextCursor }),
  }),
  getMessage: operation({
    summary: "One message with its body",
    method: "GET",
    path: "/v1/scope/messages/{messageId}",
    authority: "scope",
    input: z.strictObject({ messageId: identifier }),
    result: message,
  }),
  acknowledgeHumanMessages: operation({
    summary: "Mark messages to the human as read",
    method: "POST",
    path: "/v1/scope/messages/ack",
    authority: "scope",
    input: z.strictObject({ messageIds }),
    result: z.object({ acknowledged: z.int() }),
    idempotency: "natural",
  }),
  requeueMessage: operation({
    summary: "Give a dead-lettered message another chance",
    method: "POST",
    path: "/v1/scope/messages/{messageId}/requeue",
    authority: "scope",
    input: z.strictObject({ messageId: identifier }),
    result: message,
    errors: ["CONFLICT"],
  }),
};
