import { type Escalation, IntercomError, type ParsedInput } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { toInstant } from "./encoding.ts";
import { type EscalationRow, escalationById, escalationRow } from "./escalation-rows.ts";
import { recordEvent } from "./events.ts";
import { sendNotice } from "./notices.ts";

/** Title of what the human wants the agent to mind, beside the answer. */
const NOTE_TITLE = "Note from the human";

interface Answer {
  readonly answer: string;
  readonly by: NonNullable<EscalationRow["resolvedBy"]>;
  readonly surface: NonNullable<EscalationRow["surface"]>;
  readonly note?: string | undefined;
}

/** The first answer wins. An answer to an expired question still counts, and says that it is late. */
export async function resolveEscalation(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"resolveEscalation">,
): Promise<Escalation> {
  const { answer, by = "human", surface = "api", note } = input;
  const row = await escalationRow(ctx, caller.scope, input.escalationId);
  return resolve(ctx, caller.scope, row, { answer, by, surface, note });
}

/**
 * Takes the answer the human gave in the agent's own client, which asked it inline. What it says of itself is the agent's
 * word, so a permission is never granted this way.
 * @throws {IntercomError} CONFLICT when the question has been answered or taken back, PERMISSION_DENIED for a permission
 */
export async function answerInClient(
  ctx: Context,
  caller: AgentCaller,
  { escalationId, answer, note }: { escalationId: string; answer: string; note?: string | undefined },
): Promise<Escalation> {
  const row = await escalationRow(ctx, caller.scope, escalationId, caller.agentNo);
  if (row.kind === "permission") {
    throw new IntercomError("PERMISSION_DENIED", "A permission is granted by the owner of the scope only");
  }
  return resolve(ctx, caller.scope, row, { answer, by: "human", surface: "client", note });
}

async function resolve(
  ctx: Context,
  scope: Scope,
  row: EscalationRow,
  { answer, by, surface, note }: Answer,
): Promise<Escalation> {
  if (row.status === "resolved") {
    throw new IntercomError("CONFLICT", "The question has been answered already", {
      status: "resolved",
      answeredAt: toInstant(row.resolvedAt as number),
      surface: row.surface,
      by: row.resolvedBy,
    });
  }
  if (row.status === "cancelled") {
    throw new IntercomError("CONFLICT", "The agent has taken the question back", {
      status: "cancelled",
      cancelledAt: toInstant(row.cancelledAt as number),
    });
  }
  const late = row.status === "expired";
  await recordEvent(ctx, scope.no, "escalation.resolved", row.id, {
    agentId: row.agentId,
    status: "resolved",
    by,
    surface,
    late,
  });
  ctx.wakes.add(channels.escalation(row.id));
  const messageId = await sendNotice(ctx, scope, row.agentNo, {
    body: answer,
    // What the agent's own client notes is where it was answered, which is nothing to mind.
    context: note && surface !== "client" ? [{ kind: "text", title: NOTE_TITLE, text: note }] : [],
    about: { kind: "escalation", id: row.id, ...(late ? { late: true } : {}) },
    fromHuman: true,
  });
  await ctx.tx.run(
    `UPDATE escalations SET status = 'resolved', answer = ?, resolved_by = ?, surface = ?, note = ?, late = ?, resolved_at = ?,
            answer_message_id = ? WHERE no = ?`,
    answer,
    by,
    surface,
    note ?? null,
    late ? 1 : 0,
    ctx.now,
    messageId ?? null,
    row.no,
  );
  return escalationById(ctx, scope, row.id);
}
