import { z } from "zod";
import { IntercomError, operations, type TaskStatus } from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import { CONTENT_ROOM } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";
import { fittingPage, type Page, withCursor } from "../shared/pages.ts";
import { taskMeant } from "./task-names.ts";
import { taskEntry, taskPage, viewEntry, viewTask } from "./task-view.ts";

const paged = operations.listTasksPage.input.shape;
const added = operations.addTask.input.shape;

export const taskId = added.title.meta({
  description: "Id of the task, or its exact title while only one unfinished task has it.",
});
export const UNKNOWN_TASK = { NOT_FOUND: "Call list_tasks to see which tasks there are." };

const PAGE = 50;
/** What can still be worked on comes first. */
const ORDER: readonly TaskStatus[] = ["claimed", "open", "done", "cancelled"];

export const listTasks = forgivingTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "The shared tasks of this scope: claimed and open ones first, then finished ones. Call it to find work (ready true), or " +
    "to see who does what. get_task tells the whole of one.",
  readOnly: true,
  input: z.strictObject({
    status: paged.status.meta({ description: "Only tasks of this status." }),
    mine: z
      .boolean({ error: "expected true or false" })
      .optional()
      .meta({ description: "true: only tasks that you have claimed." }),
    ready: paged.ready.meta({ description: "true: only tasks that can be claimed now; false: only others." }),
    cursor: paged.after.meta({ description: "nextCursor of the page before." }),
  }),
  output: z.object({
    tasks: z.array(taskEntry),
    nextCursor: z.string().optional(),
    next: z.string().optional().meta({ description: NEXT }),
  }),
  async run({ status, mine = false, ready, cursor }, { call }) {
    const [from, after] = positionOf(cursor);
    const claimedBy = mine ? (await call("whoAmI", {})).identity.agentId : undefined;
    const statuses = ORDER.filter((each) => status === undefined || each === status);
    const filter = { ...(ready === undefined ? {} : { ready }), ...(claimedBy === undefined ? {} : { claimedBy }) };
    const begin = from === undefined ? 0 : statuses.indexOf(from as TaskStatus);
    if (begin < 0) throw new IntercomError("INVALID_ARGUMENT", "cursor: expected nextCursor of an earlier page");
    const page = await readStatuses(statuses.slice(begin), filter, after, call);
    const next =
      page.items.length === 0 ? { next: "There is no such task. add_task adds one for everybody here." } : {};
    return { tasks: [...page.items], ...withCursor(page.nextCursor), ...next };
  },
});

/** Status and id of the last task that was read. A cursor that is none has a status that does not exist. */
function positionOf(cursor: string | undefined): [status: string | undefined, after: string] {
  if (cursor === undefined) return [undefined, ""];
  const [status = "", ...id] = cursor.split(":");
  return [status, id.join(":")];
}

type Filter = { readonly ready?: boolean; readonly claimedBy?: string };
type Entry = ReturnType<typeof viewEntry>;

/** Tasks of one status after the other, as many as fit. A cursor is the status and the id of the last one read. */
async function readStatuses(
  statuses: readonly TaskStatus[],
  filter: Filter,
  begin: string,
  call: ToolContext["call"],
): Promise<Page<Entry>> {
  const entries: Entry[] = [];
  const cursorOf = ({ status, id }: Entry) => `${status}:${id}`;
  let after = begin;
  for (const status of statuses) {
    const { tasks, nextCursor } = await call("listTasksPage", { ...filter, status, limit: PAGE, after });
    entries.push(...tasks.map(viewEntry));
    after = "";
    const last = entries.at(-1);
    if (nextCursor !== undefined && last) return fittingPage({ items: entries, nextCursor: cursorOf(last) }, cursorOf);
  }
  return fittingPage({ items: entries }, cursorOf, CONTENT_ROOM);
}

export const getTask = forgivingTool({
  name: "get_task",
  title: "Read a task",
  description:
    "One task with its whole description, what came of it, and what was reported on it, newest first. Read it before you " +
    "work on it. Long ones come in pages: call again with nextCursor as cursor.",
  readOnly: true,
  input: z.strictObject({ taskId, cursor: paged.after.meta({ description: "nextCursor of the page before." }) }),
  output: taskPage,
  next: UNKNOWN_TASK,
  run: async ({ taskId, cursor }, { call }) =>
    viewTask(await taskMeant(taskId, "taskId", call), cursor || undefined, call),
});

export const addTask = forgivingTool({
  name: "add_task",
  title: "Add a task",
  description:
    "Add a task for the agents of this scope, for work another agent may do or that waits for something. Describe it so that " +
    "whoever claims it needs nothing else. It is ready as soon as every task it depends on is done.",
  input: z.strictObject({
    ...describeFields(added, {
      title: "What is to be done, in one line of at most 256 bytes.",
      description: "Everything that whoever claims it needs to know, at most 16384 bytes.",
    }),
    dependencies: z
      .array(taskId, { error: "expected a list of task ids" })
      .max(128, { error: "expected at most 128 entries" })
      .optional()
      .meta({ description: "Ids of tasks that have to be done first." }),
  }),
  output: z.object({ task: taskEntry, next: z.string().meta({ description: NEXT }) }),
  next: UNKNOWN_TASK,
  async run({ dependencies, ...rest }, { call }) {
    const ids: string[] = [];
    for (const [index, wanted] of (dependencies ?? []).entries()) {
      ids.push((await taskMeant(wanted, `dependencies.${index}`, call)).id);
    }
    const task = await call("addTask", { ...rest, ...(ids.length === 0 ? {} : { dependencies: ids }) });
    const next = task.ready
      ? "Any agent may claim it now. To do it yourself, call claim_task with its id."
      : "It becomes ready once the tasks it depends on are done.";
    return { task: viewEntry(task), next };
  },
});
