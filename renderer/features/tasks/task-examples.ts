import type { Task } from "../../../protocol/objects/task.ts";

const AT = "2026-01-31T12:00:00.000Z";

export function taskOf(id: string, fields: Partial<Task> = {}): Task {
  return {
    id,
    scopeId: "scope",
    title: `Task ${id}`,
    description: "",
    createdBy: null,
    status: "open",
    priority: "normal",
    requires: [],
    dependencies: [],
    blockedBy: [],
    ready: true,
    recentProgress: [],
    createdAt: AT,
    updatedAt: AT,
    ...fields,
  };
}

/** Open tasks by id, from what each depends on. */
export function tasksOf(dependencies: Readonly<Record<string, readonly string[]>>): Record<string, Task> {
  return Object.fromEntries(
    Object.entries(dependencies).map(([id, on]) => [
      id,
      taskOf(id, { dependencies: [...on], blockedBy: [...on], ready: on.length === 0 }),
    ]),
  );
}
