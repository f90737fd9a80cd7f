import { operationTool } from "../operation-tool.ts";

const taskId = "Id of the task.";
const UNKNOWN = { NOT_FOUND: "Call list_tasks to see which tasks there are." };
const UNCLAIMED = {
  ...UNKNOWN,
  CONFLICT: "Only the session that claimed the task may do this: claim it with claim_task first.",
};

export const addTask = operationTool("addTask", {
  name: "add_task",
  title: "Add a task",
  description: "Add a task for the agents of this scope. It can be claimed once every task it depends on is done.",
  fields: {
    title: "What is to be done, in one line.",
    description: "Everything that whoever claims it needs to know.",
    dependencies: "Ids of tasks that have to be done first.",
  },
  next: UNKNOWN,
});

export const claimTask = operationTool("claimTask", {
  name: "claim_task",
  title: "Claim a task",
  description: "Take a ready task, so that no other agent works on it.",
  idempotent: true,
  fields: { taskId },
  next: { ...UNKNOWN, CONFLICT: "Call list_tasks with ready true for tasks that can be claimed." },
});

export const releaseTask = operationTool("releaseTask", {
  name: "release_task",
  title: "Release a task",
  description: "Give a task you claimed back, so that another agent can take it.",
  idempotent: true,
  fields: { taskId },
  next: UNCLAIMED,
});

export const completeTask = operationTool("completeTask", {
  name: "complete_task",
  title: "Complete a task",
  description: "Finish a task you claimed. Tasks that wait only for it become ready.",
  idempotent: true,
  fields: { taskId, note: "What came of it." },
  next: UNCLAIMED,
});

export const addTaskProgress = operationTool("addTaskProgress", {
  name: "add_task_progress",
  title: "Report progress",
  description: "Add an entry to the progress of a task you claimed.",
  fields: { taskId, kind: "What kind of entry it is; blocker says that you cannot go on.", text: "The entry." },
  next: UNCLAIMED,
});

export const listTaskProgress = operationTool("listTaskProgress", {
  name: "list_task_progress",
  title: "List progress",
  description: "Everything reported on a task, oldest first.",
  readOnly: true,
  fields: { taskId },
  as: "progress",
  next: UNKNOWN,
});

export const listTasks = operationTool("listTasks", {
  name: "list_tasks",
  title: "List tasks",
  description: "The tasks of this scope, oldest first.",
  readOnly: true,
  fields: { ready: "true: only tasks that can be claimed now; false: only others; absent: all." },
  as: "tasks",
});
