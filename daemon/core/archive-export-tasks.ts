import { type ArchiveExtensionRecord, type ArchiveRecord, TASK_PRIORITIES } from "../../protocol/index.ts";
import { type ArchivedScope, paged, type RecordSource } from "./archive-export-source.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, toInstant } from "./encoding.ts";

interface TaskRow {
  readonly no: number;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: "open" | "claimed" | "done" | "cancelled";
  readonly priority: number;
  readonly requires: string;
  readonly createdBy: string | null;
  readonly claimedBy: string | null;
  readonly note: string | null;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

const TASKS = `SELECT t.no, t.id, t.title, t.description, t.status, t.priority, t.requires, c.id AS createdBy,
  h.id AS claimedBy, t.note, t.cancel_reason AS cancelReason, t.created_at AS createdAt, t.updated_at AS updatedAt
  FROM tasks t LEFT JOIN agents c ON c.no = t.created_by_no LEFT JOIN agents h ON h.no = t.claimed_by_no
 WHERE t.scope_no = ? AND t.no > ? ORDER BY t.no LIMIT ?`;

interface Dependency {
  readonly id: string;
  readonly cancelled: boolean;
}

async function dependenciesOf(ctx: Context, taskNo: number): Promise<Dependency[]> {
  const rows = await ctx.tx.all<{ id: string; status: string }>(
    `SELECT t.id, t.status FROM task_dependencies d JOIN tasks t ON t.no = d.dependency_no
      WHERE d.task_no = ? ORDER BY d.dependency_no`,
    taskNo,
  );
  return rows.map(({ id, status }) => ({ id, cancelled: status === "cancelled" }));
}

function taskFields(row: TaskRow) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    createdBy: row.createdBy,
    ...(row.status === "done" ? optional("claimedBy", row.claimedBy) : {}),
    ...optional("note", row.note),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

export async function* tasks(ctx: Context, scope: ArchivedScope): RecordSource<ArchiveRecord<"tasks">> {
  for await (const row of paged<TaskRow>(ctx, TASKS, scope.no)) {
    // The format has no cancelled tasks: they stay out of it, as something to wait for as well.
    if (row.status === "cancelled") continue;
    const dependencies = (await dependenciesOf(ctx, row.no)).filter((dependency) => !dependency.cancelled);
    yield {
      ...taskFields(row),
      status: row.status === "done" ? "done" : "open",
      dependencies: dependencies.map(({ id }) => id),
    };
  }
}

export async function* extendedTasks(
  ctx: Context,
  scope: ArchivedScope,
): RecordSource<ArchiveExtensionRecord<"tasks">> {
  for await (const row of paged<TaskRow>(ctx, TASKS, scope.no)) {
    const dependencies = await dependenciesOf(ctx, row.no);
    const priority = TASK_PRIORITIES[row.priority] ?? "normal";
    const usual = priority === "normal" && row.requires === "[]" && row.status !== "cancelled";
    if (usual && !dependencies.some((dependency) => dependency.cancelled)) continue;
    yield {
      ...taskFields(row),
      status: row.status === "claimed" ? "open" : row.status,
      dependencies: dependencies.map(({ id }) => id),
      priority,
      requires: fromJson<string[]>(row.requires),
      ...optional("cancelReason", row.cancelReason),
    };
  }
}

interface ProgressRow {
  readonly no: number;
  readonly taskId: string;
  readonly cancelled: number;
  readonly count: number;
}

/** Progress of tasks that are, or are not, in the format. */
export async function* progress(
  ctx: Context,
  scope: ArchivedScope,
  cancelled: boolean,
): RecordSource<ArchiveRecord<"taskProgress">> {
  const query = `SELECT no, id AS taskId, status = 'cancelled' AS cancelled, progress_count AS count FROM tasks
    WHERE scope_no = ? AND no > ? ORDER BY no LIMIT ?`;
  for await (const row of paged<ProgressRow>(ctx, query, scope.no)) {
    if (row.count === 0 || (row.cancelled === 1) !== cancelled) continue;
    const entries = await ctx.tx.all<{
      sequence: number;
      agentId: string;
      kind: "progress" | "note" | "blocker";
      text: string;
      createdAt: number;
    }>(
      `SELECT p.sequence, a.id AS agentId, p.kind, p.text, p.created_at AS createdAt
         FROM task_progress p JOIN agents a ON a.no = p.agent_no WHERE p.task_no = ? ORDER BY p.sequence`,
      row.no,
    );
    for (const entry of entries) yield { taskId: row.taskId, ...entry, createdAt: toInstant(entry.createdAt) };
  }
}
