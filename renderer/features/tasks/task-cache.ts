import { isIntercomError } from "../../../protocol/errors.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import type { Task } from "../../../protocol/objects/task.ts";
import { Cache, CacheSet, type Loading } from "../../data/cache.ts";
import { Refresher, type Schedule } from "../../data/refresher.ts";
import type { Source } from "../../data/source.ts";
import type { Happened } from "../../state/frames.ts";
import type { Tasks } from "./graph.ts";

export interface TaskState extends Loading {
  readonly tasks: Tasks;
}

const PAGE = 500;

/** All tasks of one scope. */
export class TaskCache extends Cache<TaskState> {
  readonly #source: Source;
  readonly #scopeId: string;
  readonly #refresher: Refresher;

  constructor(source: Source, scopeId: string, schedule?: Schedule) {
    super({ status: "loading", tasks: {} });
    this.#source = source;
    this.#scopeId = scopeId;
    this.#refresher = new Refresher({
      one: (id) => this.#readOne(id),
      all: () => this.read(),
      failed: (error) => this.failed(error),
      ...(schedule ? { schedule } : {}),
    });
  }

  /** Takes what an operation answered, so that the view does not wait for the event that tells of it. */
  put(task: Task): void {
    this.store.setState(({ tasks }) => ({ tasks: { ...tasks, [task.id]: task } }));
  }

  protected async read(): Promise<void> {
    this.#refresher.clear();
    const tasks: Record<string, Task> = {};
    let after: string | undefined;
    do {
      const page = await this.#source.host.call(
        "listTasksPage",
        { limit: PAGE, ...(after ? { after } : {}) },
        this.#scopeId,
      );
      for (const task of page.tasks) tasks[task.id] = task;
      after = page.nextCursor;
    } while (after);
    this.store.setState({ status: "ready", error: undefined, tasks });
  }

  async #readOne(id: string): Promise<void> {
    try {
      this.put(await this.#source.host.call("getTask", { taskId: id }, this.#scopeId));
    } catch (error) {
      if (!isIntercomError(error, "NOT_FOUND")) throw error;
      const { [id]: _gone, ...tasks } = this.store.getState().tasks;
      this.store.setState({ tasks });
    }
  }

  protected concerns(events: readonly Event[]): boolean {
    return events.some((event) => this.#isAboutTasks(event));
  }

  protected changed({ events, all }: Happened): void {
    const touching = events.filter((event) => this.#isAboutTasks(event));
    if (all || touching.some(({ type }) => type === PRUNED)) this.#refresher.touchEverything();
    else this.#refresher.touch(touching.map(({ subjectId }) => subjectId));
  }

  #isAboutTasks({ scopeId, type }: Event): boolean {
    return scopeId === this.#scopeId && (type.startsWith("task.") || type === PRUNED);
  }
}

/** Takes finished tasks away without an event for each. */
const PRUNED = "scope.pruned";

/** Scopes whose tasks are remembered. */
const MOST_SCOPES = 4;

export type TaskCaches = CacheSet<string, TaskCache>;

export function taskCaches(source: Source): TaskCaches {
  return new CacheSet(source, MOST_SCOPES, (scopeId: string) => new TaskCache(source, scopeId));
}
