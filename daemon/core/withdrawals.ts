import { type Escalation, IntercomError, LIMITS, type ParsedInput } from "../../protocol/index.ts";
import type { OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { optionalInstant, toInstant } from "./encoding.ts";
import { type EscalationRow, escalationById, escalationRow } from "./escalation-rows.ts";
import { checkPending } from "./escalations.ts";
import { recordEvent } from "./events.ts";
import { leaveActive, type MessageHead, partyId, SELECT_HEADS } from "./message-rows.ts";

/** Makes a question pending again whose answer nobody has read yet. What was answered before stays in the history only. */
export async function withdrawAnswer(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"withdrawAnswer">,
): Promise<Escalation> {
  const { scope } = caller;
  const row = await escalationRow(ctx, scope, input.escalationId);
  const notice = await noticeOf(ctx, row);
  requireUnread(ctx, row, notice);
  await checkPending(ctx, scope.no, row.agentNo);
  await ctx.tx.run(
    `UPDATE escalations SET status = 'pending', answer = NULL, resolved_by = NULL, surface = NULL, note = NULL, late = NULL,
            resolved_at = NULL, answer_message_id = NULL WHERE no = ?`,
    row.no,
  );
  await recordEvent(ctx, scope.no, "escalation.answer_withdrawn", row.id, { agentId: row.agentId, status: "pending" });
  if (notice) await takeBack(ctx, notice);
  // It may have passed meanwhile.
  if (row.expiresAt !== null) ctx.deadline(row.expiresAt);
  return escalationById(ctx, scope, row.id);
}

async function noticeOf(ctx: Context, row: EscalationRow): Promise<MessageHead | undefined> {
  if (row.answerMessageId === null) return undefined;
  return ctx.tx.get<MessageHead>(`${SELECT_HEADS} WHERE m.id = ?`, row.answerMessageId);
}

/** @throws {IntercomError} CONFLICT with what stands against it */
function requireUnread(ctx: Context, row: EscalationRow, notice: MessageHead | undefined): void {
  const refuse = (reason: string, message: string, more: Readonly<Record<string, unknown>> = {}) => {
    throw new IntercomError("CONFLICT", message, { status: row.status, reason, ...more });
  };
  if (row.status !== "resolved")
    refuse("not_answered", `There is no answer to take back: the question is ${row.status}`);
  if (row.late === 1)
    refuse("late", "The answer came after the question had expired, so there is nothing to go back to");
  if (row.answerReadAt !== null) {
    refuse("read", "The agent has read the answer already", optionalInstant("answerReadAt", row.answerReadAt));
  }
  const answeredAt = row.resolvedAt as number;
  if (ctx.now - answeredAt > LIMITS.answerWithdrawMs) {
    const message = `The answer was given more than ${LIMITS.answerWithdrawMs / 1000} s ago`;
    refuse("too_late", message, { answeredAt: toInstant(answeredAt) });
  }
  if (notice?.state === "reserved")
    refuse("reserved", "The agent is taking the answer out of its inbox at this moment");
}

/** A message that was never delivered goes without a trace in the conversation: nobody may come across it later. */
async function takeBack(ctx: Context, notice: MessageHead): Promise<void> {
  await ctx.tx.run("DELETE FROM messages WHERE seq = ?", notice.seq);
  await leaveActive(ctx, notice);
  await recordEvent(ctx, notice.scopeNo, "message.withdrawn", notice.id, {
    from: partyId(notice.senderNo, notice.senderId),
    to: partyId(notice.recipientNo, notice.recipientId),
    mode: notice.mode,
  });
}
