import { LIMITS } from "../../protocol/index.ts";
import type { ExtendedRecord, Import, PlainRecord } from "./archive-import.ts";
import { each, ms, msOrNull, type RecordFault, textOrNull } from "./archive-import-parts.ts";

type Archived = PlainRecord<"escalations"> | ExtendedRecord<"escalations">;

/** What goes with one status only, and whether it must. `late` answers are those to questions that had expired. */
function requireConsistent(record: Archived, extended: ExtendedRecord<"escalations"> | undefined, fault: RecordFault) {
  const { status } = record;
  const fits = (name: string, there: boolean, expected: boolean | undefined) => {
    if (expected === undefined || there === expected) return;
    throw fault.error(`${name}: expected ${expected ? "one" : "none"} with status ${status}`);
  };
  const resolved = status === "resolved";
  fits("answer", textOrNull(record.answer) !== null, resolved);
  // When a question was taken back, the format may say in the place of an answer's instant.
  fits("resolvedAt", record.resolvedAt !== undefined, status === "cancelled" && !extended ? undefined : resolved);
  if (!extended) return;
  const late = extended.late === true;
  if (late && !resolved) throw fault.error("late: goes with status resolved only");
  for (const name of ["resolvedBy", "surface", "late"] as const) fits(name, extended[name] !== undefined, resolved);
  fits("note", textOrNull(extended.note) !== null, resolved ? undefined : false);
  fits("cancelledAt", extended.cancelledAt !== undefined, status === "cancelled");
  fits("cancelReason", textOrNull(extended.cancelReason) !== null, status === "cancelled" ? undefined : false);
  fits("answerReadAt", extended.answerReadAt !== undefined, resolved ? undefined : false);
  fits("expiredAt", extended.expiredAt !== undefined, late || status === "expired");
}

export async function importEscalations(work: Import): Promise<void> {
  const { ctx } = work;
  const pending = new Map<number, number>();
  let allPending = 0;
  for (const { record, extended, fault } of each(work, "escalations")) {
    requireConsistent(record, extended, fault);
    const agentNo = fault.agentNo(work, record.agentId, "agentId");
    const resolved = record.status === "resolved";
    if (record.status === "pending") {
      allPending += 1;
      pending.set(agentNo, (pending.get(agentNo) ?? 0) + 1);
      if (
        allPending > LIMITS.pendingEscalationsPerScope ||
        (pending.get(agentNo) ?? 0) > LIMITS.pendingEscalationsPerAgent
      ) {
        throw fault.error("more questions are pending than may be");
      }
    }
    await ctx.tx.run(
      `INSERT INTO escalations (id, scope_no, agent_no, kind, urgency, question, options, context, status, answer, resolved_by,
                                surface, note, late, cancel_reason, created_at, expires_at, deferred_until, expired_at, cancelled_at,
                                resolved_at, answer_read_at, answer_message_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      record.id,
      work.scopeNo,
      agentNo,
      extended?.kind ?? (record.options.length > 0 ? "choice" : "input"),
      extended?.urgency ?? "normal",
      record.question,
      JSON.stringify(record.options),
      JSON.stringify(extended?.context ?? []),
      record.status,
      textOrNull(record.answer),
      extended?.resolvedBy ?? (resolved ? "human" : null),
      extended?.surface ?? (resolved ? "api" : null),
      textOrNull(extended?.note),
      extended?.late === undefined ? (resolved ? 0 : null) : extended.late ? 1 : 0,
      textOrNull(extended?.cancelReason),
      ms(record.createdAt),
      msOrNull(extended?.expiresAt),
      msOrNull(extended?.deferredUntil),
      msOrNull(extended?.expiredAt),
      // When it was taken back the format does not say; later than it was asked it was.
      msOrNull(extended?.cancelledAt) ??
        (record.status === "cancelled" ? ms(record.resolvedAt ?? record.createdAt) : null),
      resolved ? msOrNull(record.resolvedAt) : null,
      msOrNull(extended?.answerReadAt),
      resolved ? (work.answers.get(record.id) ?? null) : null,
    );
    const expiresAt = msOrNull(extended?.expiresAt);
    if (record.status === "pending" && expiresAt !== null) ctx.deadline(expiresAt);
  }
}
