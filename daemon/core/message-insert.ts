import type { ContextItem, MessageMode, MessageSubject } from "../../protocol/index.ts";
import { type Context, channels } from "./context.ts";
import { HUMAN_NO } from "./conversations.ts";
import { recordEvent } from "./events.ts";
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
}

/**
 * Stores a message whose right to be sent has been settled, with its event, and wakes the recipient on commit.
 * A message to the human is delivered by being stored: every surface shows it from then on.
 */
export async function insertMessage(ctx: Context, message: NewMessage): Promise<string> {
  const id = ctx.ids.next("message");
  const toHuman = message.recipient.no === HUMAN_NO;
  const state = toHuman ? "delivered" : "queued";
  await ctx.tx.run(
    `INSERT INTO messages (id, scope_no, conversation_no, sender_no, recipient_no, mode, state, response_to, created_at,
                           expires_at, delivered_at, idempotency_key, request_hash, about, body, context)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    toHuman ? ctx.now : null,
    message.idempotencyKey ?? null,
    message.requestHash ?? null,
    message.about === undefined ? null : JSON.stringify(message.about),
    message.body,
    message.context === undefined || message.context.length === 0 ? "[]" : JSON.stringify(message.context),
  );
  if (message.expiresAt !== undefined) ctx.deadline(message.expiresAt);
  await recordEvent(ctx, message.scopeNo, "message.accepted", id, {
    from: message.sender.id,
    fromKind: partyKind(message.sender.no),
    to: message.recipient.id,
    toKind: partyKind(message.recipient.no),
    mode: message.mode,
    state,
    responseTo: message.responseTo,
  });
  if (!toHuman) ctx.wakes.add(channels.inbox(message.recipient.no));
  return id;
}
