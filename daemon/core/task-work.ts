import {
  type Capability,
  IntercomError,
  LIMITS,
  type ParsedInput,
  type Task,
  type TaskProgress,
  utf8Length,
} from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { fromJson, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { openTask } from "./task-claims.ts";
import { dependencyCompleted } from "./task-graph.ts";
import { progressOf, type TaskRow, taskById, taskRow } from "./task-rows.ts";

/** What an agent does with a task: claim it, report on it, finish it or give it back. */

async function capabilityNames(ctx: Context, agentNo: number): Promise<Set<string>> {
  const row = await ctx.tx.get<{ capabilities: string }>("SELECT capabilities FROM agents WHERE no = ?", agentNo);
  return new Set(fromJson<Capability[]>(row?.capabilities ?? "[]").map((capability) => capability.name));
}

async function takeTask(ctx: Context, caller: AgentCaller, task: { no: number; id: string }): Promise<Task> {
  await ctx.tx.run(
    "UPDATE tasks SET status = 'claimed', claimed_by_no = ?, claimed_execution_no = ?, updated_at = ? WHERE no = ?",
    caller.agentNo,
    caller.executionNo,
    ctx.now,
    task.no,
  );
  await recordEvent(ctx, caller.scope.no, "task.claimed", task.id, {
    claimedBy: caller.agentId,
    executionId: caller.executionId,
    status: "claimed",
  });
  return taskById(ctx, caller.scope, task.id);
}

export async function claimTask(ctx: Context, caller: AgentCaller, input: ParsedInput<"claimTask">): Promise<Task> {
  const row = await taskRow(ctx, caller.scope.no, input.taskId);
  if (row.status !== "open") {
    throw new IntercomError("CONFLICT", `The task is ${row.status}`, { status: row.status, claimedBy: row.claimedBy });
  }
  if (row.blockers > 0) throw new IntercomError("CONFLICT", "The task waits for dependencies that are not done");
  const requires = fromJson<string[]>(row.requires);
  if (requires.length > 0) {
    const has = await capabilityNames(ctx, caller.agentNo);
    const missing = requires.filter((name) => !has.has(name));
    if (missing.length > 0) {
      throw new IntercomError("PERMISSION_DENIED", `The task requires ${missing.join(", ")}`, { missing });
    }
  }
  return takeTask(ctx, caller, row);
}

/** How many ready tasks are looked at before all of them are: nearly always the first one will do. */
const FIRST_LOOK = 32;

export async function claimNextTask(ctx: Context, caller: AgentCaller): Promise<Task | null> {
  const has = await capabilityNames(ctx, caller.agentNo);
  for (const limit of [FIRST_LOOK, LIMITS.unfinishedTasksPerScope]) {
    const ready = await ctx.tx.all<{ no: number; id: string; requires: string }>(
      `SELECT no, id, requires FROM tasks WHERE scope_no = ? AND status = 'open' AND blockers = 0
        ORDER BY priority DESC, no LIMIT ?`,
      caller.scope.no,
      limit,
    );
    const best = ready.find((task) => fromJson<string[]>(task.requires).every((name) => has.has(name)));
    if (best) return takeTask(ctx, caller, best);
    if (ready.length < limit) return null;
  }
  return null;
}

/** @throws NOT_FOUND, or CONFLICT unless this very execution has claimed the task */
async function claimedTask(ctx: Context, caller: AgentCaller, taskId: string): Promise<TaskRow> {
  const row = await taskRow(ctx, caller.scope.no, taskId);
  if (row.status !== "claimed" || row.claimedExecutionNo !== caller.executionNo) {
    throw new IntercomError("CONFLICT", "The task is not claimed by this execution", {
      status: row.status,
      claimedBy: row.claimedBy,
    });
  }
  return row;
}

export async function releaseTask(ctx: Context, caller: AgentCaller, input: ParsedInput<"releaseTask">): Promise<Task> {
  const row = await claimedTask(ctx, caller, input.taskId);
  await openTask(ctx, row.no);
  await recordEvent(ctx, caller.scope.no, "task.released", row.id, {
    previousClaimedBy: caller.agentId,
    executionId: caller.executionId,
    reason: "released",
    status: "open",
  });
  return taskById(ctx, caller.scope, row.id);
}

export async function completeTask(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"completeTask">,
): Promise<Task> {
  const row = await claimedTask(ctx, caller, input.taskId);
  await ctx.tx.run(
    "UPDATE tasks SET status = 'done', note = ?, updated_at = ? WHERE no = ?",
    input.note || null,
    ctx.now,
    row.no,
  );
  await ctx.tx.run("UPDATE scopes SET unfinished_tasks = unfinished_tasks - 1 WHERE no = ?", caller.scope.no);
  await recordEvent(ctx, caller.scope.no, "task.completed", row.id, {
    claimedBy: caller.agentId,
    executionId: caller.executionId,
    status: "done",
  });
  await dependencyCompleted(ctx, caller.scope, row, caller.agentNo);
  return taskById(ctx, caller.scope, row.id);
}

export async function addTaskProgress(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"addTaskProgress">,
): Promise<TaskProgress> {
  const row = await claimedTask(ctx, caller, input.taskId);
  const bytes = row.progressBytes + utf8Length(input.text);
  if (row.progressCount >= LIMITS.progressEntriesPerTask || bytes > LIMITS.progressBytesPerTask) {
    throw new IntercomError("BACKPRESSURE", "The task has as much progress reported as fits");
  }
  const sequence = row.progressCount + 1;
  await ctx.tx.run(
    `INSERT INTO task_progress (task_no, sequence, agent_no, execution_id, kind, text, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    row.no,
    sequence,
    caller.agentNo,
    caller.executionId,
    input.kind,
    input.text,
    ctx.now,
  );
  await ctx.tx.run(
    "UPDATE tasks SET progress_count = ?, progress_bytes = ?, updated_at = ? WHERE no = ?",
    sequence,
    bytes,
    ctx.now,
    row.no,
  );
  await recordEvent(ctx, caller.scope.no, "task.progress_added", row.id, {
    agentId: caller.agentId,
    executionId: caller.executionId,
    kind: input.kind,
    sequence,
  });
  return {
    taskId: row.id,
    sequence,
    agentId: caller.agentId,
    executionId: caller.executionId,
    kind: input.kind,
    text: input.text,
    createdAt: toInstant(ctx.now),
  };
}

export async function listTaskProgress(
  ctx: Context,
  caller: OwnerCaller | AgentCaller,
  input: ParsedInput<"listTaskProgress">,
): Promise<TaskProgress[]> {
  const row = await taskRow(ctx, caller.scope.no, input.taskId);
  return progressOf(ctx, row.no, row.id, LIMITS.progressEntriesPerTask);
}
