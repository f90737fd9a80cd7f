import { type ContextItem, type Escalation, IntercomError } from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, optionalInstant, toInstant } from "./encoding.ts";

/** A stored question with the id of whoever asked. */
export interface EscalationRow {
  readonly no: number;
  readonly id: string;
  readonly agentNo: number;
  readonly agentId: string;
  readonly kind: Escalation["kind"];
  readonly urgency: Escalation["urgency"];
  readonly question: string;
  readonly options: string;
  readonly context: string;
  readonly status: Escalation["status"];
  readonly answer: string | null;
  readonly resolvedBy: "human" | "rule" | null;
  readonly surface: NonNullable<Escalation["resolution"]>["surface"] | null;
  readonly note: string | null;
  readonly late: number | null;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly deferredUntil: number | null;
  readonly expiredAt: number | null;
  readonly cancelledAt: number | null;
  readonly resolvedAt: number | null;
  readonly answerReadAt: number | null;
  /** The message that brings the answer; null for agents that take none. */
  readonly answerMessageId: string | null;
}

/** Columns of an {@link EscalationRow} but for `agentNo`; the question is `q`, whoever asked `a`. */
export const ESCALATION_COLUMNS = `q.no, q.id, a.id AS agentId, q.kind, q.urgency, q.question, q.options, q.context,
  q.status, q.answer, q.resolved_by AS resolvedBy, q.surface, q.note, q.late, q.cancel_reason AS cancelReason,
  q.created_at AS createdAt, q.expires_at AS expiresAt, q.deferred_until AS deferredUntil, q.expired_at AS expiredAt,
  q.cancelled_at AS cancelledAt, q.resolved_at AS resolvedAt, q.answer_read_at AS answerReadAt,
  q.answer_message_id AS answerMessageId`;

/** Whole questions; append the condition. */
export const SELECT_ESCALATIONS = `
  SELECT ${ESCALATION_COLUMNS}, q.agent_no AS agentNo FROM escalations q JOIN agents a ON a.no = q.agent_no`;

export function toEscalation(row: EscalationRow, scope: Scope): Escalation {
  return {
    id: row.id,
    scopeId: scope.id,
    agentId: row.agentId,
    kind: row.kind,
    urgency: row.urgency,
    question: row.question,
    options: fromJson<string[]>(row.options),
    context: fromJson<ContextItem[]>(row.context),
    status: row.status,
    ...optional("answer", row.answer),
    ...optional("resolution", resolutionOf(row)),
    ...optional("cancelReason", row.cancelReason),
    createdAt: toInstant(row.createdAt),
    ...optionalInstant("expiresAt", row.expiresAt),
    ...optionalInstant("deferredUntil", row.deferredUntil),
    ...optionalInstant("expiredAt", row.expiredAt),
    ...optionalInstant("cancelledAt", row.cancelledAt),
    ...optionalInstant("resolvedAt", row.resolvedAt),
    ...optionalInstant("answerReadAt", row.answerReadAt),
  };
}

function resolutionOf(row: EscalationRow) {
  if (row.resolvedBy === null || row.surface === null || row.resolvedAt === null) return null;
  return {
    by: row.resolvedBy,
    surface: row.surface,
    at: toInstant(row.resolvedAt),
    ...optional("note", row.note),
    late: row.late === 1,
  };
}

/** @throws {IntercomError} NOT_FOUND, also for the question of another agent than the one given */
export async function escalationRow(ctx: Context, scope: Scope, id: string, agentNo?: number): Promise<EscalationRow> {
  const row = await ctx.tx.get<EscalationRow>(`${SELECT_ESCALATIONS} WHERE q.scope_no = ? AND q.id = ?`, scope.no, id);
  if (!row || (agentNo !== undefined && row.agentNo !== agentNo)) {
    throw new IntercomError("NOT_FOUND", `Escalation ${id} does not exist`);
  }
  return row;
}

export async function escalationById(ctx: Context, scope: Scope, id: string): Promise<Escalation> {
  return toEscalation(await escalationRow(ctx, scope, id), scope);
}
