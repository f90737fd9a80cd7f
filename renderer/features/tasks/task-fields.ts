import { useMemo } from "react";
import type { Task, TaskPriority } from "../../../protocol/objects/task.ts";
import type { Host } from "../../host.ts";
import { useDraft } from "../../ui/text-field.tsx";

/** A task as a form has it. */
export interface TaskFields {
  readonly title: string;
  readonly description: string;
  readonly priority: TaskPriority;
  /** Names of capabilities, separated by commas. */
  readonly requires: string;
  readonly dependencies: readonly string[];
}

const EMPTY: TaskFields = { title: "", description: "", priority: "normal", requires: "", dependencies: [] };

export function fieldsOf({ title, description, priority, requires, dependencies }: Task): TaskFields {
  return { title, description, priority, requires: requires.join(", "), dependencies };
}

export function namesOf(requires: string): string[] {
  return requires
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** What was typed is kept as a draft, together with what it began with, so that another's change is not undone by ours. */
interface Kept {
  readonly fields: Partial<TaskFields>;
}

/** The fields of a form: those of the task, with what was changed. They survive a reload until they are forgotten. */
export function useTaskFields(
  scopeId: string,
  task: Task | undefined,
): readonly [TaskFields, (changed: Partial<TaskFields>) => void, () => void] {
  const [text, setText] = useDraft(task ? `task ${task.id}` : `task of ${scopeId}`);
  const changed = useMemo(() => changesIn(text), [text]);
  const fields = { ...(task ? fieldsOf(task) : EMPTY), ...changed };
  return [
    fields,
    (more) => setText(JSON.stringify({ fields: { ...changed, ...more } } satisfies Kept)),
    () => setText(""),
  ];
}

/** Drafts are our own text; one that is not there, or of another version, is none. */
function changesIn(text: string): Partial<TaskFields> {
  if (text === "") return {};
  try {
    return (JSON.parse(text) as Kept).fields;
  } catch {
    return {};
  }
}

/**
 * Adds the task, or changes what differs from `task`. `step` is told of each answer: text and dependencies are two calls, and
 * the second may fail.
 * @throws {IntercomError}
 */
export async function saveTask(
  host: Pick<Host, "call">,
  scopeId: string,
  task: Task | undefined,
  fields: TaskFields,
  step: (task: Task) => void,
): Promise<Task> {
  const { description, priority, dependencies } = fields;
  const texts = { title: fields.title.trim(), description, priority, requires: namesOf(fields.requires) };
  if (!task) {
    const added = await host.call("addTask", { ...texts, dependencies: [...dependencies] }, scopeId);
    step(added);
    return added;
  }
  let saved = task;
  const changed = changesOf(task, texts);
  if (Object.keys(changed).length > 0) {
    saved = await host.call("updateTask", { taskId: task.id, ...changed }, scopeId);
    step(saved);
  }
  const add = dependencies.filter((id) => !task.dependencies.includes(id));
  const remove = task.dependencies.filter((id) => !dependencies.includes(id));
  if (add.length + remove.length > 0) {
    saved = await host.call("editTaskDependencies", { taskId: task.id, add, remove }, scopeId);
    step(saved);
  }
  return saved;
}

type Texts = Pick<Task, "title" | "description" | "priority" | "requires">;

/** Only what differs is sent: what others have changed meanwhile stays. */
function changesOf(task: Task, texts: Texts): Partial<Texts> {
  return {
    ...(texts.title === task.title ? {} : { title: texts.title }),
    ...(texts.description === task.description ? {} : { description: texts.description }),
    ...(texts.priority === task.priority ? {} : { priority: texts.priority }),
    ...(texts.requires.join() === task.requires.join() ? {} : { requires: texts.requires }),
  };
}
