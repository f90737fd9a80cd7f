import { z } from "zod";
import { IntercomError, LIMITS, operations, type Task, utf8Length } from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import type { ToolContext } from "../../tool.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";
import { taskMeant } from "./task-names.ts";
import { taskEntry, taskPage, viewEntry, viewTask } from "./task-view.ts";
import { taskId, UNKNOWN_TASK } from "./tasks.ts";

const progress = operations.addTaskProgress.input.shape;
const reported = operations.addTaskProgress.result.shape;

const UNCLAIMED = {
  ...UNKNOWN_TASK,
  CONFLICT: "Only the session that has claimed the task may do this: call get_task to see who has, or claim_task.",
};

export const claimTask = forgivingTool({
  name: "claim_task",
  title: "Claim a task",
  description:
    "Take a task before you work on it, so that no other agent does the same. Without taskId: the most pressing one that is " +
    "ready. Returns the task with its description, or none when there is nothing to do. Report with report_progress and end " +
    "with finish_task.",
  input: z.strictObject({ taskId: taskId.optional() }),
  output: taskPage,
  next: {
    ...UNKNOWN_TASK,
    CONFLICT: "Call list_tasks with ready true for tasks that can be claimed.",
    PERMISSION_DENIED:
      "The task is for agents with other capabilities: call claim_task without taskId for one you may take.",
  },
  async run({ taskId }, { call }) {
    const task = taskId === undefined ? await call("claimNextTask", {}) : await claim(taskId, call);
    if (!task) return { next: "No task is ready for you. Check the inbox, or add_task what has to be done." };
    const page = await viewTask(task, undefined, call);
    return { ...page, next: "It is yours. Report what matters with report_progress, and end with finish_task." };
  },
});

async function claim(wanted: string, call: ToolContext["call"]): Promise<Task> {
  const { id } = await taskMeant(wanted, "taskId", call);
  return call("claimTask", { taskId: id });
}

export const reportProgress = forgivingTool({
  name: "report_progress",
  title: "Report progress",
  description:
    "Add an entry to a task you have claimed: what is done, what you found out. With blocker true when you cannot go on, so " +
    "that others see it; ask the human with ask_human if only they can help.",
  input: z.strictObject({
    taskId,
    ...describeFields(progress, { text: "The entry, at most 4000 bytes." }),
    blocker: z.boolean({ error: "expected true or false" }).optional().meta({ description: "true: you cannot go on." }),
  }),
  output: z.object({ taskId: z.string(), sequence: reported.sequence, kind: reported.kind, next: z.string() }),
  next: UNCLAIMED,
  async run({ taskId, text, blocker = false }, { call }) {
    const { id } = await taskMeant(taskId, "taskId", call);
    const { sequence, kind } = await call("addTaskProgress", {
      taskId: id,
      kind: blocker ? "blocker" : "progress",
      text,
    });
    const next = blocker
      ? "Tell whoever can help, or give the task back with finish_task and outcome released."
      : "Go on; call finish_task when it is done.";
    return { taskId: id, sequence, kind, next };
  },
});

export const finishTask = forgivingTool({
  name: "finish_task",
  title: "Finish a task",
  description:
    "End your work on a task you have claimed: outcome done (the default) when it is done, released to give it back for " +
    "another agent. Say in note what came of it or how far you got. Tasks that waited only for it become ready.",
  idempotent: true,
  input: z.strictObject({
    taskId,
    outcome: z
      .enum(["done", "released"], { error: "expected one of done, released" })
      .optional()
      .meta({ description: "done (the default) or released." }),
    ...describeFields(operations.completeTask.input.shape, {
      note: "What came of it, at most 16384 bytes; 4000 with released.",
    }),
  }),
  output: z.object({ task: taskEntry, next: z.string().meta({ description: NEXT }) }),
  next: UNCLAIMED,
  async run({ taskId, outcome = "done", note }, { call }) {
    const { id } = await taskMeant(taskId, "taskId", call);
    const task = outcome === "done" ? await complete(id, note, call) : await release(id, note, call);
    return { task: viewEntry(task), next: "Check the inbox, then claim_task for the next one." };
  },
});

async function complete(taskId: string, note: string | undefined, call: ToolContext["call"]): Promise<Task> {
  return call("completeTask", { taskId, ...(note === undefined ? {} : { note }) });
}

/** Whoever takes the task next finds the note in its progress. */
async function release(taskId: string, note: string | undefined, call: ToolContext["call"]): Promise<Task> {
  if (note !== undefined && note.trim() !== "") {
    if (utf8Length(note) > LIMITS.progressTextBytes) {
      throw new IntercomError(
        "INVALID_ARGUMENT",
        `note: expected at most ${LIMITS.progressTextBytes} bytes with outcome released`,
      );
    }
    await call("addTaskProgress", { taskId, kind: "note", text: note });
  }
  return call("releaseTask", { taskId });
}
