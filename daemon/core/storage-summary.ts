import type { RecordType, StorageRecord, StorageSummary } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { optionalInstant, toInstant } from "./encoding.ts";

/** What a scope holds. Reads everything there is, so it belongs in the background. */

interface GroupRow {
  readonly state: string;
  readonly count: number;
  readonly bytes: number | null;
  readonly oldest: number | null;
}

const MESSAGES_OF_SCOPE = "conversations c JOIN messages m ON m.conversation_no = c.no WHERE c.scope_no = ?";
const enabledOr = (column: string) => `CASE ${column} WHEN 1 THEN 'enabled' ELSE 'disabled' END`;

/**
 * One query per kind of record, in the order of the protocol: of each record its state, its size, and since when it is in
 * that state. Each has one parameter, the scope.
 */
const QUERIES: readonly (readonly [RecordType, string])[] = [
  [
    "message",
    `SELECT m.state, octet_length(m.body) + octet_length(m.context) AS bytes,
            CASE m.state WHEN 'delivered' THEN m.delivered_at WHEN 'acknowledged' THEN m.acknowledged_at
                         WHEN 'expired' THEN m.expires_at WHEN 'dead_lettered' THEN m.dead_lettered_at
                         ELSE m.created_at END AS since
       FROM ${MESSAGES_OF_SCOPE}`,
  ],
  [
    "task",
    `SELECT status AS state,
            octet_length(title) + octet_length(description) + COALESCE(octet_length(note), 0) + CASE dependency_count
              WHEN 0 THEN 0 ELSE (SELECT SUM(octet_length(o.id)) FROM task_dependencies d JOIN tasks o ON o.no = d.dependency_no
                                   WHERE d.task_no = tasks.no) END AS bytes,
            CASE status WHEN 'open' THEN created_at ELSE updated_at END AS since
       FROM tasks WHERE scope_no = ?`,
  ],
  [
    "taskProgress",
    `SELECT p.kind AS state, octet_length(p.text) AS bytes, p.created_at AS since
       FROM tasks t JOIN task_progress p ON p.task_no = t.no WHERE t.scope_no = ?`,
  ],
  [
    "escalation",
    `SELECT status AS state,
            octet_length(question) + octet_length(options) + octet_length(context) + COALESCE(octet_length(answer), 0) AS bytes,
            COALESCE(resolved_at, cancelled_at, expired_at, created_at) AS since
       FROM escalations WHERE scope_no = ?`,
  ],
  [
    "event",
    `SELECT type AS state, octet_length(type) + octet_length(subject_id) + octet_length(attributes) AS bytes,
            created_at AS since
       FROM events WHERE scope_no = ?`,
  ],
  [
    "a2aPublication",
    `SELECT ${enabledOr("enabled")} AS state, 0 AS bytes, created_at AS since FROM a2a_publications WHERE scope_no = ?`,
  ],
  ["a2aTask", "SELECT state, 0 AS bytes, updated_at AS since FROM a2a_tasks WHERE scope_no = ?"],
  [
    "a2aMessage",
    `SELECT 'correlated' AS state, octet_length(m.client_message_id) AS bytes, m.created_at AS since
       FROM a2a_tasks t JOIN a2a_messages m ON m.task_no = t.no WHERE t.scope_no = ?`,
  ],
  [
    "credential",
    `SELECT ${enabledOr("enabled")} AS state, octet_length(label) AS bytes, created_at AS since
       FROM principals WHERE scope_no = ? AND token_hash IS NOT NULL`,
  ],
  [
    "outputStream",
    "SELECT 'active' AS state, octet_length(name) AS bytes, created_at AS since FROM output_streams WHERE scope_no = ?",
  ],
  [
    "outputValue",
    `SELECT v.content_type AS state, octet_length(v.value) + COALESCE(octet_length(v.reference), 0) AS bytes,
            v.created_at AS since
       FROM output_streams s JOIN output_values v ON v.stream_no = s.no WHERE s.scope_no = ?`,
  ],
];

/** The limit keeps SQLite from sorting whole records into groups, content and all, instead of these three columns. */
function grouped(query: string): string {
  return `SELECT state, COUNT(*) AS count, SUM(bytes) AS bytes, MIN(since) AS oldest
    FROM (${query} LIMIT ${Number.MAX_SAFE_INTEGER}) AS records GROUP BY state ORDER BY state`;
}

const NO_STREAMS: GroupRow = { state: "active", count: 0, bytes: 0, oldest: null };

export async function* summarizeStorage(
  ctx: Context,
  scope: { readonly no: number; readonly id: string },
): AsyncGenerator<never, StorageSummary> {
  const records: StorageRecord[] = [];
  for (const [recordType, query] of QUERIES) {
    const rows = await ctx.tx.all<GroupRow>(grouped(query), scope.no);
    // Said also where there are none.
    if (recordType === "outputStream" && rows.length === 0) rows.push(NO_STREAMS);
    for (const { state, count, bytes, oldest } of rows) {
      records.push({ recordType, state, count, estimatedBytes: bytes ?? 0, ...optionalInstant("oldestAt", oldest) });
    }
  }
  return {
    scopeId: scope.id,
    generatedAt: toInstant(ctx.now),
    totalEstimatedBytes: records.reduce((sum, record) => sum + record.estimatedBytes, 0),
    records,
  };
}
