import { IDENTIFIER_PATTERN, IntercomError, isIntercomError, type Task } from "../../../../protocol/index.ts";
import type { ToolContext } from "../../tool.ts";

/** Among how many of each status a title is looked for: beyond these a model has to give the id. */
const LOOKED_AT = 500;
const STATUSES = ["claimed", "open"] as const;

/**
 * The task a model means: by exact id, else by a title that only one unfinished task has, whatever its case.
 * @throws {IntercomError} NOT_FOUND, or CONFLICT with the ids when several tasks share the title
 */
export async function taskMeant(wanted: string, field: string, call: ToolContext["call"]): Promise<Task> {
  const byId = IDENTIFIER_PATTERN.test(wanted) ? await taskById(wanted, call) : undefined;
  if (byId) return byId;
  const title = wanted.trim().toLowerCase();
  const found: Task[] = [];
  for (const status of STATUSES) {
    const { tasks } = await call("listTasksPage", { status, limit: LOOKED_AT });
    found.push(...tasks.filter((task) => task.title.trim().toLowerCase() === title));
  }
  const [only, ...more] = found;
  if (!only) {
    throw new IntercomError(
      "NOT_FOUND",
      `${field}: no task has the id, and no unfinished one the title, ${JSON.stringify(wanted)}`,
    );
  }
  if (more.length === 0) return only;
  const ids = found.map(({ id }) => id);
  throw new IntercomError(
    "CONFLICT",
    `${field}: several tasks are called ${JSON.stringify(wanted)}: ${ids.join(", ")}`,
    { ids },
  );
}

async function taskById(taskId: string, call: ToolContext["call"]): Promise<Task | undefined> {
  try {
    return await call("getTask", { taskId });
  } catch (error) {
    if (isIntercomError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}
