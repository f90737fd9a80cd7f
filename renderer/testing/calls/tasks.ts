import { IntercomError } from "../../../protocol/errors.ts";
import type { Task } from "../../../protocol/objects/task.ts";
import { sampleTask } from "../sample.ts";
import type { World } from "../world.ts";
import { type Calls, found, pageAfter } from "./calls.ts";

/** Keeps a task with what follows from its dependencies. */
function put(world: World, task: Task, type: string): Task {
  const blockedBy = task.dependencies.filter((id) => world.tasks.get(id)?.status !== "done");
  const next = {
    ...task,
    blockedBy,
    ready: task.status === "open" && blockedBy.length === 0,
    updatedAt: new Date().toISOString(),
  };
  world.tasks.set(task.id, next);
  world.tell(task.scopeId, type, task.id, { status: task.status });
  return next;
}

const isFinished = ({ status }: Task) => status === "done" || status === "cancelled";

function unfinished(world: World, taskId: string): Task {
  const task = found(world.tasks.get(taskId), taskId);
  if (isFinished(task)) throw new IntercomError("CONFLICT", `The task is ${task.status}.`);
  return task;
}

export const taskCalls: Calls = {
  listTasksPage(world, input, scopeId) {
    const wanted = [...world.tasks.values()].filter(
      (task) =>
        task.scopeId === scopeId &&
        (input.status === undefined || task.status === input.status) &&
        (input.ready === undefined || task.ready === input.ready) &&
        (input.claimedBy === undefined || task.claimedBy === input.claimedBy),
    );
    const { items, ...more } = pageAfter(wanted, ({ id }) => id, input);
    return { tasks: items, ...more };
  },
  getTask: (world, { taskId }) => found(world.tasks.get(taskId), taskId),
  addTask(world, input, scopeId) {
    const now = new Date().toISOString();
    const { title, description = "", priority = "normal", requires = [], dependencies = [] } = input;
    const task = { id: world.nextId("tsk"), scopeId, title, description, priority, requires, dependencies };
    return put(
      world,
      sampleTask(() => now, task),
      "task.created",
    );
  },
  updateTask(world, { taskId, ...change }) {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return put(world, { ...unfinished(world, taskId), ...given }, "task.updated");
  },
  editTaskDependencies(world, { taskId, add = [], remove = [] }) {
    const task = unfinished(world, taskId);
    if (add.includes(taskId)) throw new IntercomError("CONFLICT", "A task cannot depend on itself.");
    const dependencies = [...new Set([...task.dependencies, ...add])].filter((id) => !remove.includes(id));
    return put(world, { ...task, dependencies }, "task.dependencies_changed");
  },
  cancelTask(world, { taskId, reason }) {
    const task = unfinished(world, taskId);
    return put(world, { ...task, status: "cancelled", ...(reason ? { cancelReason: reason } : {}) }, "task.cancelled");
  },
  listTaskProgress: (world, { taskId }) => world.progress.filter((entry) => entry.taskId === taskId),
};
