import type { ArchiveExtensionRecord, ArchiveRecord } from "../../protocol/index.ts";
import { type ArchivedScope, paged, type RecordSource } from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, optionalInstant, toInstant } from "./encoding.ts";
import { ESCALATION_COLUMNS, type EscalationRow } from "./escalation-rows.ts";

type ArchivedRow = Omit<EscalationRow, "agentNo">;

const ESCALATIONS = `SELECT ${ESCALATION_COLUMNS} FROM escalations q JOIN agents a ON a.no = q.agent_no WHERE q.scope_no = ? AND q.no > ? ORDER BY q.no LIMIT ?`;

function escalationFields(row: ArchivedRow) {
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
  for await (const row of paged<ArchivedRow>(ctx, ESCALATIONS, scope.no)) {
    // A question nobody answered in time is, to the format, one that was taken back.
    yield { ...escalationFields(row), status: row.status === "expired" ? "cancelled" : row.status };
  }
}

export async function* extendedEscalations(
  ctx: Context,
  scope: ArchivedScope,
): RecordSource<ArchiveExtensionRecord<"escalations">> {
  for await (const row of paged<ArchivedRow>(ctx, ESCALATIONS, scope.no)) {
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
      ...optionalInstant("deferredUntil", row.deferredUntil),
      ...optionalInstant("expiredAt", row.expiredAt),
      ...optionalInstant("cancelledAt", row.cancelledAt),
      ...optionalInstant("answerReadAt", row.answerReadAt),
    };
  }
}
