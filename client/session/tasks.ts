import type { OperationInput, Task, TaskProgress } from "../../protocol/index.ts";
import { newIdempotencyKey } from "../idempotency-key.ts";
import type { SessionContext } from "./context.ts";

export interface TaskOptions {
  /** With `"next"`: milliseconds to wait for a task, at most 25 000. Default 0. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/** What the work on a task gets beside the task. */
export interface TaskWork {
  /** Reports progress on the task. */
  readonly progress: (kind: OperationInput<"addTaskProgress">["kind"], text: string) => Promise<TaskProgress>;
  /** Aborts when the session ends or the caller's signal does. */
  readonly signal: AbortSignal;
}

/** Works on a task. Text it returns becomes the task's note (at most 16 384 bytes). */
export type TaskRunner = (task: Task, work: TaskWork) => unknown;

/** Claims a task, runs `run`, and completes the task; gives it back when anything of that throws. */
export async function withTask(
  session: SessionContext,
  taskId: string,
  run: TaskRunner,
  options: TaskOptions,
): Promise<Task | null> {
  const { client, work } = session;
  const signal = options.signal ? AbortSignal.any([options.signal, work.signal]) : work.signal;
  const task = await claim(session, taskId, options.waitMs, signal);
  if (task === null) return null;
  const once = () => ({ idempotencyKey: newIdempotencyKey(), signal });
  const progress: TaskWork["progress"] = (kind, text) => {
    const key = once();
    return session.persist(() => client.addTaskProgress({ taskId: task.id, kind, text }, key), signal);
  };
  try {
    const result = await run(task, { progress, signal });
    const note = typeof result === "string" ? result : undefined;
    const key = once();
    return await session.persist(() => client.completeTask({ taskId: task.id, note }, key), signal);
  } catch (error) {
    // Not under the signal: the abort may be what brought us here.
    await client.releaseTask({ taskId: task.id }).catch(session.onError);
    throw error;
  }
}

function claim(
  session: SessionContext,
  taskId: string,
  waitMs: number | undefined,
  signal: AbortSignal,
): Promise<Task | null> {
  const { client } = session;
  const options = { idempotencyKey: newIdempotencyKey(), signal };
  return taskId === "next"
    ? session.persist(() => client.claimNextTask({ waitMs }, options), signal)
    : session.persist(() => client.claimTask({ taskId }, options), signal);
}
