import {
  IntercomError,
  LIMITS,
  TASK_PRIORITIES,
  type Task,
  type TaskPriority,
  type TaskProgress,
  type TaskStatus,
} from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, toInstant } from "./encoding.ts";

export interface TaskRow {
  readonly no: number;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly priority: number;
  readonly requires: string;
  readonly createdByNo: number | null;
  readonly createdBy: string | null;
  readonly claimedByNo: number | null;
  readonly claimedBy: string | null;
  readonly claimedExecutionNo: number | null;
  readonly claimedExecutionId: string | null;
  readonly dependencyCount: number;
  readonly blockers: number;
  readonly progressCount: number;
  readonly progressBytes: number;
  readonly note: string | null;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Whole tasks; append the condition. */
export const SELECT_TASKS = `
  SELECT t.no, t.id, t.title, t.description, t.status, t.priority, t.requires, t.created_by_no AS createdByNo,
         c.id AS createdBy, t.claimed_by_no AS claimedByNo, h.id AS claimedBy, t.claimed_execution_no AS claimedExecutionNo,
         e.id AS claimedExecutionId, t.dependency_count AS dependencyCount, t.blockers, t.progress_count AS progressCount,
         t.progress_bytes AS progressBytes, t.note, t.cancel_reason AS cancelReason, t.created_at AS createdAt,
         t.updated_at AS updatedAt
    FROM tasks t LEFT JOIN agents c ON c.no = t.created_by_no LEFT JOIN agents h ON h.no = t.claimed_by_no
         LEFT JOIN executions e ON e.no = t.claimed_execution_no`;

export function priorityRank(priority: TaskPriority | undefined): number {
  return TASK_PRIORITIES.indexOf(priority ?? "normal");
}

/** @throws NOT_FOUND */
export async function taskRow(ctx: Context, scopeNo: number, taskId: string): Promise<TaskRow> {
  const row = await ctx.tx.get<TaskRow>(`${SELECT_TASKS} WHERE t.scope_no = ? AND t.id = ?`, scopeNo, taskId);
  if (!row) throw new IntercomError("NOT_FOUND", `Task ${taskId} does not exist`);
  return row;
}

export async function taskById(ctx: Context, scope: Scope, taskId: string): Promise<Task> {
  return toTask(ctx, scope.id, await taskRow(ctx, scope.no, taskId));
}

export async function toTask(ctx: Context, scopeId: string, row: TaskRow): Promise<Task> {
  const dependencies = row.dependencyCount === 0 ? [] : await dependenciesOf(ctx, row.no);
  return {
    id: row.id,
    scopeId,
    title: row.title,
    description: row.description,
    createdBy: row.createdBy,
    ...optional("claimedBy", row.claimedBy),
    ...optional("claimedExecutionId", row.claimedExecutionId),
    status: row.status,
    priority: TASK_PRIORITIES[row.priority] ?? "normal",
    requires: fromJson<string[]>(row.requires),
    dependencies: dependencies.map((dependency) => dependency.id),
    blockedBy: dependencies.filter((dependency) => dependency.status !== "done").map((dependency) => dependency.id),
    ready: row.status === "open" && row.blockers === 0,
    recentProgress: row.progressCount === 0 ? [] : await progressOf(ctx, row.no, row.id, LIMITS.recentProgress),
    ...optional("note", row.note),
    ...optional("cancelReason", row.cancelReason),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

async function dependenciesOf(ctx: Context, taskNo: number): Promise<{ id: string; status: TaskStatus }[]> {
  return ctx.tx.all(
    `SELECT t.id, t.status FROM task_dependencies d JOIN tasks t ON t.no = d.dependency_no
      WHERE d.task_no = ? ORDER BY d.dependency_no`,
    taskNo,
  );
}

/** The newest `limit` progress entries of a task, oldest first. */
export async function progressOf(ctx: Context, taskNo: number, taskId: string, limit: number): Promise<TaskProgress[]> {
  const rows = await ctx.tx.all<{
    sequence: number;
    agentId: string;
    executionId: string;
    kind: TaskProgress["kind"];
    text: string;
    createdAt: number;
  }>(
    `SELECT p.sequence, a.id AS agentId, p.execution_id AS executionId, p.kind, p.text, p.created_at AS createdAt
       FROM task_progress p JOIN agents a ON a.no = p.agent_no WHERE p.task_no = ? ORDER BY p.sequence DESC LIMIT ?`,
    taskNo,
    limit,
  );
  return rows.reverse().map((row) => ({ taskId, ...row, createdAt: toInstant(row.createdAt) }));
}
