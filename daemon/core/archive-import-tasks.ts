import { IntercomError, LIMITS, utf8Length } from "../../protocol/index.ts";
import type { Import } from "./archive-import.ts";
import { each, ms, textOrNull } from "./archive-import-parts.ts";
import { insertDependency } from "./task-graph.ts";
import { priorityRank } from "./task-rows.ts";

interface KnownTask {
  readonly no: number;
  readonly done: boolean;
}
type KnownTasks = Map<string, KnownTask>;

export async function importTasks(work: Import): Promise<void> {
  const numbers = await importTaskRows(work);
  await importDependencies(work, numbers);
  requireNoCircle(work, numbers);
  await importProgress(work, numbers);
}

async function importTaskRows(work: Import): Promise<KnownTasks> {
  const numbers = new Map<string, KnownTask>();
  const limit = LIMITS.unfinishedTasksPerScope;
  let open = 0;
  for (const { record, extended, fault } of each(work, "tasks")) {
    const done = record.status === "done";
    if (done !== (record.claimedBy !== undefined)) {
      throw fault.error(`claimedBy: expected ${done ? "who has done it" : "none"} with status ${record.status}`);
    }
    if (extended?.cancelReason !== undefined && record.status !== "cancelled") {
      throw fault.error("cancelReason: goes with status cancelled only");
    }
    if (record.status === "open") open += 1;
    if (open > limit) throw fault.error(`expected at most ${limit} unfinished tasks`);
    const row = await work.ctx.tx.get<{ no: number }>(
      `INSERT INTO tasks (id, scope_no, title, description, status, priority, requires, created_by_no, claimed_by_no,
                          dependency_count, blockers, note, cancel_reason, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?) RETURNING no`,
      record.id,
      work.scopeNo,
      record.title,
      record.description,
      record.status,
      priorityRank(extended?.priority),
      JSON.stringify(extended?.requires ?? []),
      record.createdBy === null ? null : fault.agentNo(work, record.createdBy, "createdBy"),
      record.claimedBy === undefined ? null : fault.agentNo(work, record.claimedBy, "claimedBy"),
      textOrNull(record.note),
      textOrNull(extended?.cancelReason),
      ms(record.createdAt),
      ms(record.updatedAt),
    );
    numbers.set(record.id, { no: (row as { no: number }).no, done });
  }
  await work.ctx.tx.run("UPDATE scopes SET unfinished_tasks = ? WHERE no = ?", open, work.scopeNo);
  return numbers;
}

async function importDependencies(work: Import, numbers: KnownTasks): Promise<void> {
  for (const { record, fault } of each(work, "tasks")) {
    const { no } = numbers.get(record.id) as KnownTask;
    for (const dependency of record.dependencies) {
      const known = numbers.get(dependency);
      if (known === undefined) throw fault.error(`dependencies: ${dependency} is not a task of the archive`);
      const { no: dependencyNo, done } = known;
      if (dependencyNo === no) throw fault.error("dependencies: a task cannot depend on itself");
      if (!(await insertDependency(work.ctx, no, dependencyNo)))
        throw fault.error(`dependencies: ${dependency} is there twice`);
      if (record.status === "done" && !done) throw fault.error(`dependencies: ${dependency} is not done`);
    }
  }
  await work.ctx.tx.run(
    `UPDATE tasks SET
        dependency_count = (SELECT COUNT(*) FROM task_dependencies d WHERE d.task_no = tasks.no),
        blockers = (SELECT COUNT(*) FROM task_dependencies d JOIN tasks t ON t.no = d.dependency_no
                     WHERE d.task_no = tasks.no AND t.status <> 'done')
      WHERE scope_no = ?`,
    work.scopeNo,
  );
}

/** Takes away, again and again, what waits for nothing that is left; what remains waits in a circle. */
function requireNoCircle(work: Import, numbers: KnownTasks): void {
  const waitsFor = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const { record } of each(work, "tasks")) {
    waitsFor.set(record.id, record.dependencies.length);
    for (const dependency of record.dependencies) {
      const list = dependents.get(dependency);
      if (list) list.push(record.id);
      else dependents.set(dependency, [record.id]);
    }
  }
  const free = [...waitsFor].filter(([, count]) => count === 0).map(([id]) => id);
  let settled = 0;
  for (let id = free.pop(); id !== undefined; id = free.pop()) {
    settled += 1;
    for (const dependent of dependents.get(id) ?? []) {
      const left = (waitsFor.get(dependent) as number) - 1;
      waitsFor.set(dependent, left);
      if (left === 0) free.push(dependent);
    }
  }
  if (settled < numbers.size) {
    throw new IntercomError("INVALID_ARGUMENT", "tasks: dependencies: expected no circle");
  }
}

async function importProgress(work: Import, numbers: KnownTasks): Promise<void> {
  const totals = new Map<number, { count: number; bytes: number; newest: number }>();
  for (const { record, fault } of each(work, "taskProgress")) {
    const no = numbers.get(record.taskId)?.no;
    if (no === undefined) throw fault.error(`taskId: ${record.taskId} is not a task of the archive`);
    const total = totals.get(no) ?? { count: 0, bytes: 0, newest: 0 };
    total.count += 1;
    total.bytes += utf8Length(record.text);
    total.newest = Math.max(total.newest, record.sequence);
    totals.set(no, total);
    if (total.count > LIMITS.progressEntriesPerTask || total.bytes > LIMITS.progressBytesPerTask) {
      throw fault.error("the task has more progress than one may have");
    }
    const found = await work.ctx.tx.get(
      "SELECT 1 AS found FROM task_progress WHERE task_no = ? AND sequence = ?",
      no,
      record.sequence,
    );
    if (found) throw fault.error(`sequence: ${record.sequence} of the task is there twice`);
    await work.ctx.tx.run(
      `INSERT INTO task_progress (task_no, sequence, agent_no, execution_id, kind, text, created_at)
       VALUES (?, ?, ?, 'imported', ?, ?, ?)`,
      no,
      record.sequence,
      fault.agentNo(work, record.agentId, "agentId"),
      record.kind,
      record.text,
      ms(record.createdAt),
    );
  }
  for (const [no, { count, bytes, newest }] of totals) {
    if (newest !== count) throw new IntercomError("INVALID_ARGUMENT", "taskProgress: sequence: expected no gaps");
    await work.ctx.tx.run("UPDATE tasks SET progress_count = ?, progress_bytes = ? WHERE no = ?", count, bytes, no);
  }
}
