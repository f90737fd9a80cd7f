import type { ArchiveExtensionRecord, ArchiveRecord } from "../../protocol/index.ts";
import { type ArchivedScope, paged, type RecordSource } from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, optionalInstant, toInstant } from "./encoding.ts";

interface EscalationRow {
  readonly no: number;
  readonly id: string;
  readonly agentId: string;
  readonly kind: "input" | "permission" | "choice";
  readonly urgency: "low" | "normal" | "high";
  readonly question: string;
  readonly options: string;
  readonly context: string;
  readonly status: "pending" | "resolved" | "cancelled" | "expired";
  readonly answer: string | null;
  readonly resolvedBy: "human" | "rule" | null;
  readonly surface: "tray" | "window" | "cli" | "api" | null;
  readonly note: string | null;
  readonly late: number | null;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly expiredAt: number | null;
  readonly cancelledAt: number | null;
  readonly resolvedAt: number | null;
}

const ESCALATIONS = `SELECT q.no, q.id, a.id AS agentId, q.kind, q.urgency, q.question, q.options, q.context, q.status, q.answer,
  q.resolved_by AS resolvedBy, q.surface, q.note, q.late, q.cancel_reason AS cancelReason, q.created_at AS createdAt,
  q.expires_at AS expiresAt, q.expired_at AS expiredAt, q.cancelled_at AS cancelledAt, q.resolved_at AS resolvedAt
  FROM escalations q JOIN agents a ON a.no = q.agent_no WHERE q.scope_no = ? AND q.no > ? ORDER BY q.no LIMIT ?`;

function escalationFields(row: EscalationRow) {
  return {
    id: row.id,
    agentId: row.agentId,
    question: row.question,
    options: fromJson<string[]>(row.options),
    ...optional("answer", row.answer),
    createdAt: toInstant(row.createdAt),
    ...optionalInstant("resolvedAt", row.resolvedAt),
  };
}

export async function* escalations(ctx: Context, scope: ArchivedScope): RecordSource<ArchiveRecord<"escalations">> {
  for await (const row of paged<EscalationRow>(ctx, ESCALATIONS, scope.no)) {
    // A question nobody answered in time is, to the format, one that was taken back.
    yield { ...escalationFields(row), status: row.status === "expired" ? "cancelled" : row.status };
  }
}

export async function* extendedEscalations(
  ctx: Context,
  scope: ArchivedScope,
): RecordSource<ArchiveExtensionRecord<"escalations">> {
  for await (const row of paged<EscalationRow>(ctx, ESCALATIONS, scope.no)) {
    yield {
      ...escalationFields(row),
      status: row.status,
      kind: row.kind,
      urgency: row.urgency,
      context: fromJson<ArchiveRecord<"messages">["context"]>(row.context),
      ...optional("resolvedBy", row.resolvedBy),
      ...optional("surface", row.surface),
      ...optional("note", row.note),
      ...(row.late === null ? {} : { late: row.late === 1 }),
      ...optional("cancelReason", row.cancelReason),
      ...optionalInstant("expiresAt", row.expiresAt),
      ...optionalInstant("expiredAt", row.expiredAt),
      ...optionalInstant("cancelledAt", row.cancelledAt),
    };
  }
}
