import type { Task } from "../../../protocol/objects/task.ts";

/** Tasks by id. */
export type Tasks = Readonly<Record<string, Task>>;

export interface Edge {
  /** The task that has to be done first. */
  readonly from: string;
  readonly to: string;
}

/** A part of the graph that can be drawn. */
export interface Subgraph {
  readonly ids: readonly string[];
  readonly edges: readonly Edge[];
  /** Tasks that belong to it but did not fit. */
  readonly leftOut: number;
}

/** More boxes than these nobody can read, and laying them out takes too long for a click. */
export const MOST_NODES = 200;

/** For each task, those that wait for it. */
export function dependentsOf(tasks: Tasks): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const task of Object.values(tasks)) {
    for (const dependency of task.dependencies) {
      const waiting = dependents.get(dependency);
      if (waiting) waiting.push(task.id);
      else dependents.set(dependency, [task.id]);
    }
  }
  return dependents;
}

/** What the task leads to and comes from, nearest first, at most `most` tasks. */
export function neighbourhood(tasks: Tasks, focusId: string, most = MOST_NODES): Subgraph {
  if (!tasks[focusId]) return { ids: [], edges: [], leftOut: 0 };
  return reachable(tasks, [focusId], most);
}

/** Everything unfinished that hangs together with something, and what it depends on. */
export function unfinished(tasks: Tasks, most = MOST_NODES): Subgraph {
  const dependents = dependentsOf(tasks);
  const isOpen = (id: string) => tasks[id]?.status === "open" || tasks[id]?.status === "claimed";
  const roots = Object.keys(tasks).filter(
    (id) => isOpen(id) && (tasks[id]?.blockedBy.length || dependents.get(id)?.some(isOpen)),
  );
  const shown = roots.slice(0, most);
  return { ids: shown, edges: edgesAmong(tasks, new Set(shown)), leftOut: roots.length - shown.length };
}

function reachable(tasks: Tasks, from: readonly string[], most: number): Subgraph {
  const dependents = dependentsOf(tasks);
  const seen = new Set(from);
  // A set is walked in the order of insertion, additions on the way included: breadth first.
  for (const id of seen) {
    const next = [...(tasks[id]?.dependencies ?? []), ...(dependents.get(id) ?? [])];
    for (const other of next) if (tasks[other]) seen.add(other);
  }
  const ids = [...seen].slice(0, most);
  return { ids, edges: edgesAmong(tasks, new Set(ids)), leftOut: seen.size - ids.length };
}

function edgesAmong(tasks: Tasks, ids: ReadonlySet<string>): Edge[] {
  return [...ids].flatMap((to) =>
    (tasks[to]?.dependencies ?? []).filter((from) => ids.has(from)).map((from) => ({ from, to })),
  );
}

/** Whether making `taskId` depend on `dependency` would close a circle, which the daemon refuses. */
export function closesCircle(tasks: Tasks, taskId: string, dependency: string): boolean {
  const seen = new Set([dependency]);
  for (const id of seen) for (const next of tasks[id]?.dependencies ?? []) seen.add(next);
  return seen.has(taskId);
}
