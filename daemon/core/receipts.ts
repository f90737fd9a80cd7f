import { IntercomError, type Lifecycle, type ParsedInput, type Receipt } from "../../protocol/index.ts";
import { isReachable } from "./agents.ts";
import type { AgentCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { optional, optionalInstant, toInstant } from "./encoding.ts";
import { type MessageHead, SELECT_HEADS } from "./message-rows.ts";

/** How far a message has come, and, while it waits, what is known of the one it waits for. */
export async function receiptOf(ctx: Context, messageId: string): Promise<Receipt> {
  const head = await ctx.tx.get<MessageHead>(`${SELECT_HEADS} WHERE m.id = ?`, messageId);
  return toReceipt(ctx, head as MessageHead);
}

async function toReceipt(ctx: Context, head: MessageHead): Promise<Receipt> {
  return {
    messageId: head.id,
    state: head.state,
    acceptedAt: toInstant(head.createdAt),
    ...optionalInstant("deliveredAt", head.deliveredAt),
    ...optionalInstant("acknowledgedAt", head.acknowledgedAt),
    ...optionalInstant("deadLetteredAt", head.deadLetteredAt),
    ...optional("deadLetterReason", head.deadLetterReason),
    ...optionalInstant("repliedAt", head.repliedAt),
    ...optional("responseMessageId", head.responseMessageId),
    ...(head.state === "queued" ? { recipient: await recipientPresence(ctx, head.recipientNo) } : {}),
  };
}

async function recipientPresence(ctx: Context, agentNo: number) {
  const row = (await ctx.tx.get<{
    lifecycle: Lifecycle;
    ready: number;
    lastSeenAt: number;
    leaseExpiresAt: number;
    endedAt: number | null;
  }>(
    `SELECT a.lifecycle, a.ready, a.last_seen_at AS lastSeenAt, e.lease_expires_at AS leaseExpiresAt, e.ended_at AS endedAt
       FROM agents a JOIN executions e ON e.no = a.execution_no WHERE a.no = ?`,
    agentNo,
  )) as { lifecycle: Lifecycle; ready: number; lastSeenAt: number; leaseExpiresAt: number; endedAt: number | null };
  const reachable = isReachable(row, ctx.now);
  return { reachable, ready: reachable && row.ready === 1, lastSeenAt: toInstant(row.lastSeenAt) };
}

export async function getReceipt(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"getReceipt">,
): Promise<Receipt> {
  const head = await ctx.tx.get<MessageHead>(
    `${SELECT_HEADS} WHERE m.id = ? AND m.scope_no = ?`,
    input.messageId,
    caller.scope.no,
  );
  if (!head || (head.senderNo !== caller.agentNo && head.recipientNo !== caller.agentNo)) {
    throw new IntercomError("NOT_FOUND", `Message ${input.messageId} does not exist`);
  }
  return toReceipt(ctx, head);
}
