import {
  type ContextItem,
  type EventType,
  HUMAN_PARTY,
  type Message,
  type MessageMode,
  type MessageState,
  type MessageSubject,
  type PartyKind,
  SYSTEM_PARTY,
} from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { HUMAN_NO, isPrincipalParty, SYSTEM_NO } from "./conversations.ts";
import { fromJson, optional, optionalInstant, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";

/** A stored message without its content: what deciding about it needs. */
export interface MessageHead {
  readonly seq: number;
  readonly id: string;
  readonly scopeNo: number;
  readonly senderNo: number;
  readonly recipientNo: number;
  readonly senderId: string | null;
  readonly recipientId: string | null;
  readonly mode: MessageMode;
  readonly state: MessageState;
  readonly createdAt: number;
  readonly deliveredAt: number | null;
  readonly acknowledgedAt: number | null;
  readonly deadLetteredAt: number | null;
  readonly deadLetterReason: string | null;
  readonly repliedAt: number | null;
  readonly responseMessageId: string | null;
}

export interface MessageRow extends MessageHead {
  readonly scopeId: string;
  readonly responseTo: string | null;
  readonly deliveryCount: number;
  readonly expiresAt: number | null;
  readonly retryAt: number | null;
  readonly about: string | null;
  readonly body: string;
  readonly context: string;
}

const HEAD = `m.seq, m.id, m.scope_no AS scopeNo, m.sender_no AS senderNo, m.recipient_no AS recipientNo,
  COALESCE(s.id, (SELECT id FROM principals WHERE no = -1 - m.sender_no)) AS senderId,
  COALESCE(r.id, (SELECT id FROM principals WHERE no = -1 - m.recipient_no)) AS recipientId, m.mode, m.state, m.created_at AS createdAt, m.delivered_at AS deliveredAt,
  m.acknowledged_at AS acknowledgedAt, m.dead_lettered_at AS deadLetteredAt, m.dead_letter_reason AS deadLetterReason,
  m.replied_at AS repliedAt, m.response_message_id AS responseMessageId`;

const PARTIES = "messages m LEFT JOIN agents s ON s.no = m.sender_no LEFT JOIN agents r ON r.no = m.recipient_no";

/**
 * Messages somebody has still to deal with. Literally the condition of the indexes on them: SQLite uses such an index
 * only when a query repeats it word for word, also where another condition implies it.
 */
export const ACTIVE = "state IN ('queued', 'reserved', 'delivered')";

/** Requests their recipient has taken and not answered. As with {@link ACTIVE}, literally the condition of an index. */
export const UNANSWERED = "mode = 'request' AND replied_at IS NULL AND state IN ('delivered', 'acknowledged')";

/** Heads of messages; append the condition. */
export const SELECT_HEADS = `SELECT ${HEAD} FROM ${PARTIES}`;

/** Whole messages; append the condition. */
export const SELECT_MESSAGES = `SELECT ${HEAD}, sc.id AS scopeId, m.response_to AS responseTo,
  m.delivery_count AS deliveryCount, m.expires_at AS expiresAt, m.retry_at AS retryAt, m.about, m.body, m.context
  FROM ${PARTIES} JOIN scopes sc ON sc.no = m.scope_no`;

export function partyKind(no: number): PartyKind {
  if (no === HUMAN_NO) return "human";
  if (no === SYSTEM_NO) return "system";
  return isPrincipalParty(no) ? "a2aPrincipal" : "agent";
}

export function partyId(no: number, storedId: string | null): string {
  if (no === HUMAN_NO) return HUMAN_PARTY;
  return no === SYSTEM_NO ? SYSTEM_PARTY : (storedId as string);
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    scopeId: row.scopeId,
    from: partyId(row.senderNo, row.senderId),
    fromKind: partyKind(row.senderNo),
    to: partyId(row.recipientNo, row.recipientId),
    toKind: partyKind(row.recipientNo),
    mode: row.mode,
    body: row.body,
    context: fromJson<ContextItem[]>(row.context),
    ...optional("responseTo", row.responseTo),
    ...optional("about", row.about === null ? null : fromJson<MessageSubject>(row.about)),
    state: row.state,
    deliveryCount: row.deliveryCount,
    createdAt: toInstant(row.createdAt),
    ...optionalInstant("expiresAt", row.expiresAt),
    ...optionalInstant("retryAt", row.retryAt),
    ...optionalInstant("deliveredAt", row.deliveredAt),
    ...optionalInstant("acknowledgedAt", row.acknowledgedAt),
    ...optionalInstant("deadLetteredAt", row.deadLetteredAt),
    ...optional("deadLetterReason", row.deadLetterReason),
    ...optionalInstant("repliedAt", row.repliedAt),
    ...optional("responseMessageId", row.responseMessageId),
  };
}

/** Records that a message moved on. `state` is the one it has now. */
export async function recordMessageEvent(
  ctx: Context,
  type: EventType,
  head: MessageHead,
  state: MessageState,
  extra: Readonly<Record<string, string>> = {},
): Promise<void> {
  await recordEvent(ctx, head.scopeNo, type, head.id, {
    from: partyId(head.senderNo, head.senderId),
    to: partyId(head.recipientNo, head.recipientId),
    mode: head.mode,
    state,
    ...extra,
  });
}

/** Active messages are those an agent has still to deal with; what the human has unread does not block agents. */
export async function leaveActive(ctx: Context, head: MessageHead): Promise<void> {
  if (head.recipientNo === HUMAN_NO) return;
  await ctx.tx.run("UPDATE scopes SET active_messages = active_messages - 1 WHERE no = ?", head.scopeNo);
}
