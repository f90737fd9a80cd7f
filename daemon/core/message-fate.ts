import { IntercomError, type Message, type ParsedInput } from "../../protocol/index.ts";
import { a2aMessageFailed } from "./a2a-tasks.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { HUMAN_NO, isPrincipalParty } from "./conversations.ts";
import { toInstant } from "./encoding.ts";
import {
  leaveActive,
  type MessageHead,
  type MessageRow,
  recordMessageEvent,
  SELECT_HEADS,
  SELECT_MESSAGES,
  toMessage,
} from "./message-rows.ts";

/** What becomes of a message after it was delivered: dealt with, put off, or set aside. */

/** Delivered to this party and not yet dealt with; a redelivery in progress does not matter. */
async function openDelivery(
  ctx: Context,
  scopeNo: number,
  recipientNo: number,
  messageId: string,
): Promise<MessageHead | undefined> {
  return ctx.tx.get<MessageHead>(
    `${SELECT_HEADS} WHERE m.id = ? AND m.scope_no = ? AND m.recipient_no = ?
        AND m.state IN ('delivered', 'reserved') AND m.delivered_at IS NOT NULL`,
    messageId,
    scopeNo,
    recipientNo,
  );
}

async function acknowledge(ctx: Context, scopeNo: number, recipientNo: number, ids: readonly string[]) {
  let acknowledged = 0;
  for (const id of ids) {
    const head = await openDelivery(ctx, scopeNo, recipientNo, id);
    if (!head) continue;
    await ctx.tx.run(
      "UPDATE messages SET state = 'acknowledged', acknowledged_at = ?, reservation_no = NULL, retry_at = NULL WHERE seq = ?",
      ctx.now,
      head.seq,
    );
    await leaveActive(ctx, head);
    await recordMessageEvent(ctx, "message.acknowledged", head, "acknowledged");
    acknowledged += 1;
  }
  return { acknowledged };
}

export async function acknowledgeMessages(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"acknowledgeMessages">,
) {
  return acknowledge(ctx, caller.scope.no, caller.agentNo, input.messageIds);
}

export async function acknowledgeHumanMessages(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"acknowledgeHumanMessages">,
) {
  return acknowledge(ctx, caller.scope.no, HUMAN_NO, input.messageIds);
}

export async function deferMessages(ctx: Context, caller: AgentCaller, input: ParsedInput<"deferMessages">) {
  const retryAt = ctx.now + input.delayMs;
  let deferred = 0;
  for (const id of input.messageIds) {
    const head = await openDelivery(ctx, caller.scope.no, caller.agentNo, id);
    if (!head) continue;
    const changed = await ctx.tx.run(
      `UPDATE messages SET state = 'delivered', retry_at = ?, reservation_no = NULL
        WHERE seq = ? AND (state <> 'delivered' OR retry_at IS NULL OR retry_at <> ?)`,
      retryAt,
      head.seq,
      retryAt,
    );
    if (changed > 0) {
      await recordMessageEvent(ctx, "message.deferred", head, "delivered", { retryAt: toInstant(retryAt) });
    }
    deferred += 1;
  }
  if (deferred > 0) ctx.deadline(retryAt);
  return { deferred };
}

async function messageRow(ctx: Context, scopeNo: number, messageId: string): Promise<MessageRow> {
  const row = await ctx.tx.get<MessageRow>(`${SELECT_MESSAGES} WHERE m.id = ? AND m.scope_no = ?`, messageId, scopeNo);
  if (!row) throw new IntercomError("NOT_FOUND", `Message ${messageId} does not exist`);
  return row;
}

export async function deadLetterMessage(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"deadLetterMessage">,
): Promise<Message> {
  const row = await messageRow(ctx, caller.scope.no, input.messageId);
  if (row.recipientNo !== caller.agentNo) {
    throw new IntercomError("NOT_FOUND", `Message ${input.messageId} does not exist`);
  }
  if (row.state === "dead_lettered") return toMessage(row);
  if (row.deliveredAt === null || (row.state !== "delivered" && row.state !== "reserved")) {
    throw new IntercomError("CONFLICT", `The message is ${row.state}, expected delivered`, { state: row.state });
  }
  await ctx.tx.run(
    `UPDATE messages SET state = 'dead_lettered', dead_lettered_at = ?, dead_letter_reason = ?, reservation_no = NULL,
            retry_at = NULL WHERE seq = ?`,
    ctx.now,
    input.reason,
    row.seq,
  );
  await leaveActive(ctx, row);
  await recordMessageEvent(ctx, "message.dead_lettered", row, "dead_lettered");
  if (isPrincipalParty(row.senderNo)) await a2aMessageFailed(ctx, row.scopeNo, row.id);
  return toMessage(await messageRow(ctx, caller.scope.no, input.messageId));
}

export async function requeueMessage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"requeueMessage">,
): Promise<Message> {
  const row = await messageRow(ctx, caller.scope.no, input.messageId);
  if (row.state !== "dead_lettered") {
    throw new IntercomError("CONFLICT", `The message is ${row.state}, expected dead_lettered`, { state: row.state });
  }
  if (isPrincipalParty(row.senderNo)) {
    throw new IntercomError("CONFLICT", "The A2A client has been told that its task failed; it may send again");
  }
  // A lifetime that ran out while the message was set aside would end the new chance before it began.
  const expiresAt = row.expiresAt !== null && row.expiresAt > ctx.now ? row.expiresAt : null;
  await ctx.tx.run(
    `UPDATE messages SET state = 'queued', dead_lettered_at = NULL, dead_letter_reason = NULL, delivered_at = NULL,
            delivery_count = 0, expires_at = ? WHERE seq = ?`,
    expiresAt,
    row.seq,
  );
  if (expiresAt !== null) ctx.deadline(expiresAt);
  await ctx.tx.run("UPDATE scopes SET active_messages = active_messages + 1 WHERE no = ?", row.scopeNo);
  await recordMessageEvent(ctx, "message.requeued", row, "queued");
  ctx.wakes.add(channels.inbox(row.recipientNo));
  return toMessage(await messageRow(ctx, caller.scope.no, input.messageId));
}

export async function getMessage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"getMessage">,
): Promise<Message> {
  return toMessage(await messageRow(ctx, caller.scope.no, input.messageId));
}
