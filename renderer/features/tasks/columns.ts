import { TASK_PRIORITIES, type Task } from "../../../protocol/objects/task.ts";

/** Columns of the board. `ready` and `blocked` are the two kinds of open tasks. */
export const COLUMNS = ["ready", "blocked", "claimed", "done", "cancelled"] as const;
export type Column = (typeof COLUMNS)[number];

export function columnOf(task: Task): Column {
  if (task.status !== "open") return task.status;
  return task.ready ? "ready" : "blocked";
}

/** What the board is narrowed to. */
export interface TaskFilter {
  /** Text that a title, a description or an id has to hold. */
  readonly text: string;
  /** Agent that has claimed or added them; undefined for everybody's. */
  readonly agentId?: string | undefined;
}

/** The tasks of each column: what is to do by priority and age, what is over by when it ended. */
export function columnsOf(tasks: Iterable<Task>, filter: TaskFilter): Readonly<Record<Column, readonly Task[]>> {
  const columns: Record<Column, Task[]> = { ready: [], blocked: [], claimed: [], done: [], cancelled: [] };
  const wanted = filter.text.trim().toLowerCase();
  for (const task of tasks) if (matches(task, wanted, filter.agentId)) columns[columnOf(task)].push(task);
  for (const name of ["ready", "blocked", "claimed"] as const) columns[name].sort(pressingFirst);
  for (const name of ["done", "cancelled"] as const) columns[name].sort(latestFirst);
  return columns;
}

function matches(task: Task, wanted: string, agentId: string | undefined): boolean {
  if (agentId !== undefined && task.claimedBy !== agentId && task.createdBy !== agentId) return false;
  if (wanted === "") return true;
  return [task.title, task.id, task.description].some((text) => text.toLowerCase().includes(wanted));
}

/** As agents claim them: highest priority first, then oldest. */
function pressingFirst(a: Task, b: Task): number {
  const rank = TASK_PRIORITIES.indexOf(b.priority) - TASK_PRIORITIES.indexOf(a.priority);
  return rank === 0 ? ordered(a.createdAt, b.createdAt) : rank;
}

function latestFirst(a: Task, b: Task): number {
  return ordered(b.updatedAt, a.updatedAt);
}

/** Instants are compared as texts: all have the same form. */
function ordered(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** What an agent says holds a task up, if that is the last it said of it. */
export function blockerOf(task: Task): string | undefined {
  const last = task.recentProgress.at(-1);
  return task.status === "claimed" && last?.kind === "blocker" ? last.text : undefined;
}
