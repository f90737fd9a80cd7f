import { IntercomError, LIMITS, type ParsedInput, type Task } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { page } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { sendNotice } from "./notices.ts";
import { dependencyCancelled, dependsOn, findDependencies, insertDependency } from "./task-graph.ts";
import { priorityRank, SELECT_TASKS, type TaskRow, taskById, taskRow, toTask } from "./task-rows.ts";

function encodeNames(names: readonly string[] = []): string {
  return JSON.stringify([...new Set(names)]);
}

type OwnerOrAgent = OwnerCaller | AgentCaller;

export async function addTask(ctx: Context, caller: OwnerOrAgent, input: ParsedInput<"addTask">): Promise<Task> {
  const { scope } = caller;
  const dependencies = await findDependencies(ctx, scope, input.dependencies);
  const accepted = await ctx.tx.run(
    "UPDATE scopes SET unfinished_tasks = unfinished_tasks + 1 WHERE no = ? AND unfinished_tasks < ?",
    scope.no,
    LIMITS.unfinishedTasksPerScope,
  );
  if (accepted === 0) {
    throw new IntercomError("BACKPRESSURE", `The scope holds ${LIMITS.unfinishedTasksPerScope} unfinished tasks`);
  }
  const id = ctx.ids.next("task");
  const blockers = dependencies.filter((dependency) => !dependency.done).length;
  const row = await ctx.tx.get<{ no: number }>(
    `INSERT INTO tasks (id, scope_no, title, description, status, priority, requires, created_by_no, dependency_count,
                        blockers, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?, ?) RETURNING no`,
    id,
    scope.no,
    input.title,
    input.description ?? "",
    priorityRank(input.priority),
    encodeNames(input.requires),
    caller.kind === "agent" ? caller.agentNo : null,
    dependencies.length,
    blockers,
    ctx.now,
    ctx.now,
  );
  for (const dependency of dependencies) await insertDependency(ctx, (row as { no: number }).no, dependency.no);
  await recordEvent(ctx, scope.no, "task.created", id, {
    createdBy: caller.kind === "agent" ? caller.agentId : undefined,
    status: "open",
  });
  if (blockers === 0) ctx.wakes.add(channels.tasks(scope.no));
  return taskById(ctx, scope, id);
}

export async function getTask(ctx: Context, caller: OwnerOrAgent, input: ParsedInput<"getTask">): Promise<Task> {
  return taskById(ctx, caller.scope, input.taskId);
}

const READY = "t.status = 'open' AND t.blockers = 0";
const NOT_READY = "NOT (t.status = 'open' AND t.blockers = 0)";

function readiness(ready: boolean | undefined): string {
  if (ready === undefined) return "";
  return ` AND ${ready ? READY : NOT_READY}`;
}

async function toTasks(ctx: Context, scopeId: string, rows: readonly TaskRow[]): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const row of rows) tasks.push(await toTask(ctx, scopeId, row));
  return tasks;
}

export async function listTasks(ctx: Context, caller: OwnerOrAgent, input: ParsedInput<"listTasks">): Promise<Task[]> {
  const { scope } = caller;
  const count = await ctx.tx.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM (SELECT 1 FROM tasks WHERE scope_no = ? LIMIT ?) AS some",
    scope.no,
    LIMITS.taskListMax + 1,
  );
  if ((count?.n ?? 0) > LIMITS.taskListMax) {
    throw new IntercomError("BACKPRESSURE", `The scope has more than ${LIMITS.taskListMax} tasks; read them in pages`);
  }
  const rows = await ctx.tx.all<TaskRow>(
    `${SELECT_TASKS} WHERE t.scope_no = ?${readiness(input.ready)} ORDER BY t.no`,
    scope.no,
  );
  return toTasks(ctx, scope.id, rows);
}

export async function listTasksPage(ctx: Context, caller: OwnerOrAgent, input: ParsedInput<"listTasksPage">) {
  const { scope } = caller;
  const limit = input.limit ?? LIMITS.pageDefault;
  const byStatus = input.status === undefined ? "" : " AND t.status = ?";
  const byClaimant = input.claimedBy === undefined ? "" : " AND h.id = ?";
  const rows = await ctx.tx.all<TaskRow>(
    `${SELECT_TASKS} WHERE t.scope_no = ? AND t.id > ?${byStatus}${byClaimant}${readiness(input.ready)} ORDER BY t.id LIMIT ?`,
    scope.no,
    input.after ?? "",
    ...(input.status === undefined ? [] : [input.status]),
    ...(input.claimedBy === undefined ? [] : [input.claimedBy]),
    limit + 1,
  );
  const { items, ...rest } = page(rows, limit, (row) => row.id);
  return { tasks: await toTasks(ctx, scope.id, items), ...rest };
}

/** The owner and the agent that added a task may change it, while it is unfinished. */
async function changeableTask(ctx: Context, caller: OwnerOrAgent, taskId: string, verb: string): Promise<TaskRow> {
  const row = await taskRow(ctx, caller.scope.no, taskId);
  if (caller.kind === "agent" && row.createdByNo !== caller.agentNo) {
    throw new IntercomError("PERMISSION_DENIED", `Only the owner and the agent that added a task may ${verb} it`);
  }
  if (row.status === "done" || row.status === "cancelled") {
    throw new IntercomError("CONFLICT", `The task is ${row.status}`, { status: row.status });
  }
  return row;
}

export async function updateTask(ctx: Context, caller: OwnerOrAgent, input: ParsedInput<"updateTask">): Promise<Task> {
  const row = await changeableTask(ctx, caller, input.taskId, "change");
  const title = input.title ?? row.title;
  const description = input.description ?? row.description;
  const priority = input.priority === undefined ? row.priority : priorityRank(input.priority);
  const requires = input.requires === undefined ? row.requires : encodeNames(input.requires);
  const unchanged =
    title === row.title && description === row.description && priority === row.priority && requires === row.requires;
  // A call that is repeated changes nothing, so there is nothing to tell of.
  if (unchanged) return taskById(ctx, caller.scope, row.id);
  await ctx.tx.run(
    "UPDATE tasks SET title = ?, description = ?, priority = ?, requires = ?, updated_at = ? WHERE no = ?",
    title,
    description,
    priority,
    requires,
    ctx.now,
    row.no,
  );
  await recordEvent(ctx, caller.scope.no, "task.updated", row.id, { status: row.status });
  // Other requirements may let somebody take it who waits for work.
  ctx.wakes.add(channels.tasks(caller.scope.no));
  return taskById(ctx, caller.scope, row.id);
}

export async function editTaskDependencies(
  ctx: Context,
  caller: OwnerOrAgent,
  input: ParsedInput<"editTaskDependencies">,
): Promise<Task> {
  const { scope } = caller;
  const row = await changeableTask(ctx, caller, input.taskId, "change");
  const { add = [] } = input;
  if (add.includes(row.id)) throw new IntercomError("INVALID_ARGUMENT", "add: a task cannot depend on itself");
  const remove = await findDependencies(ctx, scope, input.remove);
  let [removed, added] = [0, 0];
  for (const dependency of remove) {
    removed += await ctx.tx.run(
      "DELETE FROM task_dependencies WHERE task_no = ? AND dependency_no = ?",
      row.no,
      dependency.no,
    );
  }
  for (const dependency of await findDependencies(ctx, scope, add)) {
    if (row.status === "claimed" && !dependency.done) {
      throw new IntercomError("CONFLICT", "A claimed task cannot be made to wait; release it first");
    }
    if (await dependsOn(ctx, dependency.no, row.no)) {
      throw new IntercomError("CONFLICT", `add: ${dependency.id} depends on ${row.id}, which would close a circle`, {
        dependency: dependency.id,
      });
    }
    if (await insertDependency(ctx, row.no, dependency.no)) added += 1;
  }
  const counts = (await ctx.tx.get<{ total: number; blockers: number }>(
    `SELECT COUNT(*) AS total, COALESCE(SUM(CASE WHEN t.status = 'done' THEN 0 ELSE 1 END), 0) AS blockers
       FROM task_dependencies d JOIN tasks t ON t.no = d.dependency_no WHERE d.task_no = ?`,
    row.no,
  )) as { total: number; blockers: number };
  if (counts.total > LIMITS.taskDependencies) {
    throw new IntercomError(
      "INVALID_ARGUMENT",
      `add: expected at most ${LIMITS.taskDependencies} dependencies in total`,
    );
  }
  if (added + removed > 0) {
    await ctx.tx.run(
      "UPDATE tasks SET dependency_count = ?, blockers = ?, updated_at = ? WHERE no = ?",
      counts.total,
      counts.blockers,
      ctx.now,
      row.no,
    );
    await recordEvent(ctx, scope.no, "task.dependencies_changed", row.id, {
      added,
      removed,
      ready: row.status === "open" && counts.blockers === 0,
    });
    ctx.wakes.add(channels.tasks(scope.no));
  }
  return taskById(ctx, scope, row.id);
}

export async function cancelTask(ctx: Context, caller: OwnerOrAgent, input: ParsedInput<"cancelTask">): Promise<Task> {
  const { scope } = caller;
  const row = await changeableTask(ctx, caller, input.taskId, "cancel");
  await ctx.tx.run(
    `UPDATE tasks SET status = 'cancelled', claimed_by_no = NULL, claimed_execution_no = NULL, cancel_reason = ?,
            updated_at = ? WHERE no = ?`,
    input.reason ?? null,
    ctx.now,
    row.no,
  );
  await ctx.tx.run("UPDATE scopes SET unfinished_tasks = unfinished_tasks - 1 WHERE no = ?", scope.no);
  await recordEvent(ctx, scope.no, "task.cancelled", row.id, {
    previousClaimedBy: row.claimedBy,
    status: "cancelled",
  });
  const callerNo = caller.kind === "agent" ? caller.agentNo : undefined;
  if (row.claimedByNo !== null && row.claimedByNo !== callerNo) {
    await sendNotice(ctx, scope, row.claimedByNo, {
      body: `Task "${row.title}", which you had claimed, was cancelled. Stop working on it.`,
      about: { kind: "task", id: row.id },
    });
  }
  await dependencyCancelled(ctx, scope, row, callerNo);
  return taskById(ctx, scope, row.id);
}
