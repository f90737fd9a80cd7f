import { IntercomError } from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { recordEvent } from "./events.ts";
import { sendNotice } from "./notices.ts";

/** Dependencies between tasks. `blockers` of a task counts its dependencies that are not done. */

export interface Dependency {
  readonly no: number;
  readonly id: string;
  readonly done: boolean;
}

/** Each named task once. @throws NOT_FOUND for the first that does not exist */
export async function findDependencies(ctx: Context, scope: Scope, ids: readonly string[] = []): Promise<Dependency[]> {
  const found: Dependency[] = [];
  for (const id of new Set(ids)) {
    const row = await ctx.tx.get<{ no: number; status: string }>(
      "SELECT no, status FROM tasks WHERE scope_no = ? AND id = ?",
      scope.no,
      id,
    );
    if (!row) throw new IntercomError("NOT_FOUND", `Task ${id} does not exist`);
    found.push({ no: row.no, id, done: row.status === "done" });
  }
  return found;
}

export async function insertDependency(ctx: Context, taskNo: number, dependencyNo: number): Promise<boolean> {
  const changed = await ctx.tx.run(
    "INSERT INTO task_dependencies (task_no, dependency_no) VALUES (?, ?) ON CONFLICT DO NOTHING",
    taskNo,
    dependencyNo,
  );
  return changed === 1;
}

/** Whether `from` depends on `to`, directly or through others. */
export async function dependsOn(ctx: Context, from: number, to: number): Promise<boolean> {
  const row = await ctx.tx.get(
    `WITH RECURSIVE reached(no) AS (
        SELECT dependency_no FROM task_dependencies WHERE task_no = ?
        UNION SELECT d.dependency_no FROM task_dependencies d JOIN reached ON d.task_no = reached.no)
      SELECT 1 AS found FROM reached WHERE no = ? LIMIT 1`,
    from,
    to,
  );
  return row !== undefined;
}

interface Dependant {
  readonly no: number;
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly blockers: number;
  readonly createdByNo: number | null;
}

async function unfinishedDependants(ctx: Context, taskNo: number): Promise<Dependant[]> {
  return ctx.tx.all<Dependant>(
    `SELECT t.no, t.id, t.title, t.status, t.blockers, t.created_by_no AS createdByNo
       FROM task_dependencies d JOIN tasks t ON t.no = d.task_no
      WHERE d.dependency_no = ? AND t.status IN ('open', 'claimed') ORDER BY t.no`,
    taskNo,
  );
}

/** Tells every task that waited for this one; a task that became ready wakes those who look for work. */
export async function dependencyCompleted(
  ctx: Context,
  scope: Scope,
  task: { readonly no: number; readonly id: string; readonly title: string },
  completedByNo: number,
): Promise<void> {
  for (const dependant of await unfinishedDependants(ctx, task.no)) {
    await ctx.tx.run("UPDATE tasks SET blockers = blockers - 1 WHERE no = ?", dependant.no);
    const ready = dependant.status === "open" && dependant.blockers === 1;
    await recordEvent(ctx, scope.no, "task.dependency_completed", dependant.id, { dependency: task.id, ready });
    if (!ready) continue;
    ctx.wakes.add(channels.tasks(scope.no));
    if (dependant.createdByNo !== null && dependant.createdByNo !== completedByNo) {
      await sendNotice(ctx, scope, dependant.createdByNo, {
        body: `Task "${dependant.title}" is ready: "${task.title}", which it waited for, is done.`,
        about: { kind: "task", id: dependant.id },
      });
    }
  }
}

/** Tells every task that waits for this one that it will wait for ever unless it is edited. */
export async function dependencyCancelled(
  ctx: Context,
  scope: Scope,
  task: { readonly no: number; readonly id: string; readonly title: string },
  cancelledByNo: number | undefined,
): Promise<void> {
  for (const dependant of await unfinishedDependants(ctx, task.no)) {
    await recordEvent(ctx, scope.no, "task.dependency_cancelled", dependant.id, { dependency: task.id });
    if (dependant.createdByNo !== null && dependant.createdByNo !== cancelledByNo) {
      await sendNotice(ctx, scope, dependant.createdByNo, {
        body: `Task "${dependant.title}" is stuck: "${task.title}", which it waits for, was cancelled. Edit its dependencies.`,
        about: { kind: "task", id: dependant.id },
      });
    }
  }
}
