import { LIMITS, TASK_PRIORITIES, type TaskPriority, type TaskStatus } from "../../protocol/index.ts";
import type { Bench } from "./bench.ts";
import { same } from "./commands.ts";

export const LEASE_MS = 120_000;

export interface ModelTask {
  readonly id: string;
  /** Agent that added it; undefined for the owner. */
  readonly createdBy: string | undefined;
  status: TaskStatus;
  priority: TaskPriority;
  requires: readonly string[];
  dependencies: Set<ModelTask>;
  /** Token of the execution that has claimed it. */
  claim: string | undefined;
  /** Agent that has claimed or finished it. */
  claimedBy: string | undefined;
  progress: number;
}

export interface ModelWorker {
  readonly id: string;
  readonly capabilities: readonly string[];
  token: string;
  leaseExpiresAt: number;
  alive: boolean;
}

/** What the tasks of one scope should look like. `blockers` and `ready` are worked out anew each time. */
export class TaskModel {
  readonly bench: Bench;
  readonly scopeToken: string;
  readonly workers: ModelWorker[] = [];
  readonly tasks: ModelTask[] = [];

  constructor(bench: Bench, scopeToken: string) {
    this.bench = bench;
    this.scopeToken = scopeToken;
  }

  get now(): number {
    return this.bench.clock.now();
  }

  async register(id: string, capabilities: readonly string[]): Promise<void> {
    const { agentToken } = await this.bench.call("registerAgent", this.scopeToken, {
      id,
      displayName: id,
      capabilities: capabilities.map((name) => ({ name })),
      leaseMs: LEASE_MS,
    });
    const existing = this.workers.find((worker) => worker.id === id);
    if (existing?.alive) this.end(existing);
    const current = { id, capabilities, token: agentToken, leaseExpiresAt: this.now + LEASE_MS, alive: true };
    if (existing) Object.assign(existing, current);
    else this.workers.push(current);
  }

  end(worker: ModelWorker): void {
    worker.alive = false;
    for (const task of this.tasks) if (task.status === "claimed" && task.claim === worker.token) this.open(task);
  }

  open(task: ModelTask): void {
    Object.assign(task, { status: "open", claim: undefined, claimedBy: undefined });
  }

  settle(): void {
    for (const worker of this.workers) if (worker.alive && worker.leaseExpiresAt <= this.now) this.end(worker);
  }

  blockers(task: ModelTask): ModelTask[] {
    return [...task.dependencies].filter(({ status }) => status !== "done");
  }

  ready(task: ModelTask): boolean {
    return task.status === "open" && this.blockers(task).length === 0;
  }

  able(worker: ModelWorker, task: ModelTask): boolean {
    return task.requires.every((name) => worker.capabilities.includes(name));
  }

  /** Highest priority first, then oldest. */
  best(worker: ModelWorker): ModelTask | undefined {
    const rank = (task: ModelTask) => TASK_PRIORITIES.indexOf(task.priority);
    return this.tasks
      .filter((task) => this.ready(task) && this.able(worker, task))
      .reduce<ModelTask | undefined>((best, task) => (best && rank(best) >= rank(task) ? best : task), undefined);
  }

  dependsOn(from: ModelTask, to: ModelTask): boolean {
    return [...from.dependencies].some((next) => next === to || this.dependsOn(next, to));
  }

  async compareResult(id: string): Promise<void> {
    const task = this.tasks.find((candidate) => candidate.id === id) as ModelTask;
    const actual = await this.bench.call("getTask", this.scopeToken, { taskId: id });
    const ids = (tasks: Iterable<ModelTask>) => [...tasks].map((entry) => entry.id).sort();
    same(
      "a task",
      {
        status: actual.status,
        ready: actual.ready,
        dependencies: actual.dependencies.toSorted(),
        blockedBy: actual.blockedBy.toSorted(),
        claimedBy: actual.claimedBy,
        priority: actual.priority,
        requires: actual.requires,
        progress: actual.recentProgress.length,
      },
      {
        status: task.status,
        ready: this.ready(task),
        dependencies: ids(task.dependencies),
        blockedBy: ids(this.blockers(task)),
        claimedBy: task.claimedBy,
        priority: task.priority,
        requires: task.requires,
        progress: Math.min(task.progress, LIMITS.recentProgress),
      },
    );
  }

  compare(): void {
    const stored = this.bench.rows(
      `SELECT t.id, t.status, a.id AS claimedBy, t.blockers FROM tasks t LEFT JOIN agents a ON a.no = t.claimed_by_no ORDER BY t.no`,
    ) as Record<string, unknown>[];
    for (const [index, task] of this.tasks.entries()) {
      const unfinished = task.status === "open" || task.status === "claimed";
      const row = stored[index];
      same("a stored task", row, {
        id: task.id,
        status: task.status,
        claimedBy: task.claimedBy ?? null,
        // Nobody asks what a task that is over would wait for.
        blockers: unfinished ? this.blockers(task).length : row?.blockers,
      });
    }
    same("the number of tasks", stored.length, this.tasks.length);
  }
}
