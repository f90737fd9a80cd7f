import { IntercomError, type ParsedInput, type Receipt } from "../../protocol/index.ts";
import type { AgentCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { optional, optionalInstant, toInstant } from "./encoding.ts";
import { type MessageHead, SELECT_HEADS } from "./message-rows.ts";
import { presenceOf } from "./recipients.ts";

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
    ...(head.state === "queued" ? { recipient: await presenceOf(ctx, head.recipientNo) } : {}),
  };
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
