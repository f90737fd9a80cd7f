import { z } from "zod";
import {
  LIMITS,
  progressKind,
  type Task,
  type TaskProgress,
  taskPriority,
  taskStatus,
} from "../../../../protocol/index.ts";
import { clip, jsonLength, RESULT_CHARACTERS } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";
import { NEXT } from "../shared/forgiving-tool.ts";
import { withCursor } from "../shared/pages.ts";
import { type ReadSection, readSections, type Section } from "../shared/sections.ts";

/** Room for a task's title, characters of JSON, and how many of the tasks it waits for are named. */
const TITLE_ROOM = 400;
const NAMED = 10;
/** For everything that is said of a task together. */
const ROOM = RESULT_CHARACTERS - 700;

const taskHead = {
  id: z.string(),
  title: z.string(),
  status: taskStatus,
  ready: z.boolean().meta({ description: "It can be claimed now." }),
  priority: taskPriority.optional().meta({ description: "normal if absent." }),
  claimedBy: z.string().optional(),
  blockedBy: z
    .array(z.string())
    .optional()
    .meta({ description: `Tasks that have to be done first; ${NAMED} at most.` }),
  blockedByCount: z.int().optional().meta({ description: "How many there are, where not all are named." }),
};

/** A task in a list. */
export const taskEntry = z.object(taskHead);

/** A task in a list, with what deciding about it needs. */
export function viewEntry({
  id,
  title,
  status,
  ready,
  priority,
  claimedBy,
  blockedBy,
}: Task): z.output<typeof taskEntry> {
  return {
    id,
    title: clip(title, TITLE_ROOM),
    status,
    ready,
    ...(priority === "normal" ? {} : { priority }),
    ...(claimedBy === undefined ? {} : { claimedBy }),
    ...(blockedBy.length === 0 ? {} : { blockedBy: blockedBy.slice(0, NAMED) }),
    ...(blockedBy.length > NAMED ? { blockedByCount: blockedBy.length } : {}),
  };
}

const part = z.object({
  text: z.string(),
  offset: z.int().optional().meta({ description: "Where in the whole text this begins, if not at its beginning." }),
  totalCharacters: z.int().optional().meta({ description: "How long the whole text is, where this is not all of it." }),
});

/** A task with everything said of it, as far as it fits. */
export const taskPage = z.object({
  task: z
    .object({
      ...taskHead,
      createdBy: z.string().optional(),
      requires: z.array(z.string()).optional(),
      updatedAt: z.string(),
    })
    .optional(),
  description: part.optional(),
  note: part.optional().meta({ description: "What came of it." }),
  cancelReason: part.optional(),
  progress: z
    .array(part.extend({ agent: z.string(), kind: progressKind, createdAt: z.string() }))
    .optional()
    .meta({ description: "What was reported, newest first." }),
  nextCursor: z.string().optional().meta({ description: "There is more: call get_task with it as cursor." }),
  next: z.string().optional().meta({ description: NEXT }),
});
type TaskPage = z.output<typeof taskPage>;

/** What is said of a task, from a cursor on: its description, its end, and what was reported, newest first. */
export async function viewTask(task: Task, cursor: string | undefined, call: ToolContext["call"]): Promise<TaskPage> {
  const entries = (await progressOf(task, call)).toReversed();
  const head = {
    ...viewEntry(task),
    ...(task.createdBy === null ? {} : { createdBy: task.createdBy }),
    ...(task.requires.length === 0 ? {} : { requires: task.requires }),
    updatedAt: task.updatedAt,
  };
  const sections: Section[] = [
    { key: "description", text: task.description },
    { key: "note", text: task.note ?? "" },
    { key: "cancelReason", text: task.cancelReason ?? "" },
    ...entries.map(({ sequence, text }) => ({ key: `p${sequence}`, text })),
  ];
  const { read, nextCursor } = readSections(sections, cursor, ROOM - jsonLength(head));
  const texts = read.filter(({ key, text }) => !/^p\d/.test(key) && text !== "");
  const progress = entries.flatMap((entry) => {
    const section = read.find(({ key }) => key === `p${entry.sequence}`);
    return section ? [viewProgress(entry, section)] : [];
  });
  return {
    task: head,
    ...Object.fromEntries(texts.map((section) => [section.key, viewPart(section)])),
    ...(progress.length === 0 ? {} : { progress }),
    ...withCursor(nextCursor),
  };
}

/** All entries, where the task does not carry them itself. */
async function progressOf(task: Task, call: ToolContext["call"]): Promise<readonly TaskProgress[]> {
  const { id: taskId, recentProgress } = task;
  return recentProgress.length < LIMITS.recentProgress ? recentProgress : call("listTaskProgress", { taskId });
}

function viewPart({ text, start, end, total }: ReadSection): z.output<typeof part> {
  return {
    text,
    ...(start === 0 ? {} : { offset: start }),
    ...(start === 0 && end === total ? {} : { totalCharacters: total }),
  };
}

function viewProgress({ agentId: agent, kind, createdAt }: TaskProgress, section: ReadSection) {
  return { agent, kind, createdAt, ...viewPart(section) };
}
