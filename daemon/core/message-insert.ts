import {
  type ContextItem,
  IntercomError,
  LIMITS,
  type MessageMode,
  type MessageState,
  type MessageSubject,
  type PartyKind,
} from "../../protocol/index.ts";
import { type Context, channels } from "./context.ts";
import { insertEvent } from "./events.ts";
import { partyKind } from "./message-rows.ts";

export interface NewMessage {
  readonly scopeNo: number;
  readonly conversationNo: number;
  readonly sender: { readonly no: number; readonly id: string };
  readonly recipient: { readonly no: number; readonly id: string };
  readonly mode: MessageMode;
  readonly body: string;
  readonly context?: readonly ContextItem[] | undefined;
  readonly responseTo?: string | undefined;
  readonly about?: MessageSubject | undefined;
  readonly expiresAt?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly requestHash?: string | undefined;
  /** Goes in however full the scope is: whoever waits for it would otherwise never learn it. */
  readonly pastLimit?: boolean;
}

/**
 * Stores a message whose right to be sent has been settled, with its event, and wakes the recipient on commit.
 * A message to the human is delivered by being stored: every surface shows it from then on. An answer to an A2A client
 * becomes part of that client's task, so nobody has anything left to do about it.
 * @throws {IntercomError} BACKPRESSURE when the scope, or the human, has too much to deal with already
 */
export async function insertMessage(ctx: Context, message: NewMessage): Promise<string> {
  const destination = partyKind(message.recipient.no);
  const revision = await enter(ctx, message, destination);
  const id = ctx.ids.next("message");
  const state = FIRST_STATES[destination];
  await ctx.tx.run(
    `INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, response_to, created_at,
                           expires_at, delivered_at, acknowledged_at, idempotency_key, request_hash, about, body, context)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    message.scopeNo,
    message.conversationNo,
    message.sender.no,
    message.recipient.no,
    message.mode,
    state,
    message.responseTo ?? null,
    ctx.now,
    message.expiresAt ?? null,
    state === "queued" ? null : ctx.now,
    state === "acknowledged" ? ctx.now : null,
    message.idempotencyKey ?? null,
    message.requestHash ?? null,
    message.about === undefined ? null : JSON.stringify(message.about),
    message.body,
    message.context === undefined || message.context.length === 0 ? "[]" : JSON.stringify(message.context),
  );
  if (message.expiresAt !== undefined) ctx.deadline(message.expiresAt);
  await insertEvent(ctx, message.scopeNo, revision, "message.accepted", id, {
    from: message.sender.id,
    fromKind: partyKind(message.sender.no),
    to: message.recipient.id,
    toKind: destination,
    mode: message.mode,
    state,
    responseTo: message.responseTo,
  });
  if (destination === "agent") ctx.wakes.add(channels.inbox(message.recipient.no));
  return id;
}

/** State in which a message begins, by who is to get it. */
const FIRST_STATES: Readonly<Record<PartyKind, MessageState>> = {
  agent: "queued",
  system: "queued",
  human: "delivered",
  a2aPrincipal: "acknowledged",
};

/** @returns the revision of the message's event */
async function enter(ctx: Context, message: NewMessage, destination: PartyKind): Promise<number> {
  if (destination === "human") await checkUnread(ctx, message.scopeNo);
  return destination === "agent" ? enterActive(ctx, message) : nextRevision(ctx, message.scopeNo);
}

/** Counts the message as active and its event as the scope's next, in one update: this is the hottest path there is. */
async function enterActive(ctx: Context, message: NewMessage): Promise<number> {
  const scope = await ctx.tx.get<{ revision: number }>(
    `UPDATE scopes SET active_messages = active_messages + 1, revision = revision + 1
      WHERE no = ? AND active_messages < ? RETURNING revision`,
    message.scopeNo,
    message.pastLimit ? Number.MAX_SAFE_INTEGER : LIMITS.activeMessagesPerScope,
  );
  if (scope) return scope.revision;
  const limit = LIMITS.activeMessagesPerScope;
  throw new IntercomError("BACKPRESSURE", `The scope holds ${limit} messages nobody has dealt with`, { limit });
}

async function checkUnread(ctx: Context, scopeNo: number): Promise<void> {
  const limit = LIMITS.unreadHumanMessagesPerScope;
  const unread = await ctx.tx.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM messages WHERE scope_no = ? AND recipient_no = 0 AND state = 'delivered'",
    scopeNo,
  );
  if ((unread?.n ?? 0) >= limit) {
    throw new IntercomError("BACKPRESSURE", `The human has ${limit} unread messages already`, { limit });
  }
}

async function nextRevision(ctx: Context, scopeNo: number): Promise<number> {
  const scope = await ctx.tx.get<{ revision: number }>(
    "UPDATE scopes SET revision = revision + 1 WHERE no = ? RETURNING revision",
    scopeNo,
  );
  return (scope as { revision: number }).revision;
}
