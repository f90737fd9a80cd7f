import { z } from "zod";
import { flag, forwardPage, nextCursor, setOf, waitMs } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import {
  progressKind,
  task,
  taskDescription,
  taskPriority,
  taskProgress,
  taskStatus,
  taskTitle,
} from "../objects/task.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

const dependencies = setOf(identifier, LIMITS.taskDependencies);
const requires = setOf(identifier, LIMITS.taskRequirements).meta({
  description: "Capability names an agent needs to claim the task.",
});
const taskId = z.strictObject({ taskId: identifier });
const reason = text(LIMITS.reasonBytes, 0).optional();

/** Tasks shared by a scope. */
export const taskOperations = {
  addTask: operation({
    summary: "Add a task",
    method: "POST",
    path: "/v1/tasks",
    authority: "scope-or-agent",
    input: z.strictObject({
      title: taskTitle,
      description: taskDescription.optional(),
      dependencies: dependencies.optional(),
      priority: taskPriority.optional(),
      requires: requires.optional(),
    }),
    result: task,
    status: 201,
    errors: ["NOT_FOUND"],
    idempotency: "key",
  }),
  listTasks: operation({
    summary: "Every task of the scope, by creation time",
    description: `Answers BACKPRESSURE above ${LIMITS.taskListMax} tasks: read them in pages then.`,
    method: "GET",
    path: "/v1/tasks",
    authority: "scope-or-agent",
    input: z.strictObject({ ready: flag.optional() }),
    result: z.array(task),
  }),
  listTasksPage: operation({
    summary: "Tasks in pages, by id",
    method: "GET",
    path: "/v1/tasks/page",
    authority: "scope-or-agent",
    input: z.strictObject({
      status: taskStatus.optional(),
      ready: flag.optional(),
      claimedBy: identifier.meta({ description: "Agent that claimed them." }).optional(),
      ...forwardPage,
    }),
    result: z.object({ tasks: z.array(task), nextCursor }),
  }),
  claimNextTask: operation({
    summary: "Claim the best ready task the caller may take",
    description: "Highest priority first, then oldest; `null` when there is none within `waitMs`.",
    method: "POST",
    path: "/v1/tasks/claim-next",
    authority: "agent",
    input: z.strictObject({ waitMs }),
    result: task.nullable(),
    idempotency: "key",
    waits: true,
  }),
  getTask: operation({
    summary: "One task",
    method: "GET",
    path: "/v1/tasks/{taskId}",
    authority: "scope-or-agent",
    input: taskId,
    result: task,
  }),
  updateTask: operation({
    summary: "Change a task's text, priority or requirements",
    description: "For the owner and the agent that added it, until the task is done or cancelled.",
    method: "PATCH",
    path: "/v1/tasks/{taskId}",
    authority: "scope-or-agent",
    input: z.strictObject({
      taskId: identifier,
      title: taskTitle.optional(),
      description: taskDescription.optional(),
      priority: taskPriority.optional(),
      requires: requires.optional(),
    }),
    result: task,
    errors: ["CONFLICT"],
    idempotency: "natural",
  }),
  editTaskDependencies: operation({
    summary: "Add and remove dependencies",
    description: "Refuses unknown tasks, the task itself, and anything that would close a circle.",
    method: "POST",
    path: "/v1/tasks/{taskId}/dependencies",
    authority: "scope-or-agent",
    input: z.strictObject({ taskId: identifier, add: dependencies.optional(), remove: dependencies.optional() }),
    result: task,
    errors: ["CONFLICT"],
    idempotency: "natural",
  }),
  claimTask: operation({
    summary: "Claim a ready task for this execution",
    method: "POST",
    path: "/v1/tasks/{taskId}/claim",
    authority: "agent",
    input: taskId,
    result: task,
    errors: ["NOT_FOUND", "CONFLICT", "PERMISSION_DENIED"],
    idempotency: "key",
  }),
  releaseTask: operation({
    summary: "Give a claimed task back",
    method: "POST",
    path: "/v1/tasks/{taskId}/release",
    authority: "agent",
    input: taskId,
    result: task,
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "key",
  }),
  completeTask: operation({
    summary: "Finish a task this execution has claimed",
    method: "POST",
    path: "/v1/tasks/{taskId}/complete",
    authority: "agent",
    input: z.strictObject({ taskId: identifier, note: text(LIMITS.taskNoteBytes, 0).optional() }),
    result: task,
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "key",
  }),
  cancelTask: operation({
    summary: "Call a task off",
    description:
      "For the owner and the agent that added it. Tasks that depend on it stay blocked until they are edited.",
    method: "POST",
    path: "/v1/tasks/{taskId}/cancel",
    authority: "scope-or-agent",
    input: z.strictObject({ taskId: identifier, reason }),
    result: task,
    errors: ["CONFLICT"],
    idempotency: "key",
  }),
  addTaskProgress: operation({
    summary: "Report progress on a claimed task",
    method: "POST",
    path: "/v1/tasks/{taskId}/progress",
    authority: "agent",
    input: z.strictObject({ taskId: identifier, kind: progressKind, text: text(LIMITS.progressTextBytes) }),
    result: taskProgress,
    status: 201,
    errors: ["NOT_FOUND", "CONFLICT"],
    idempotency: "key",
  }),
  listTaskProgress: operation({
    summary: "Everything reported on a task, oldest first",
    method: "GET",
    path: "/v1/tasks/{taskId}/progress",
    authority: "scope-or-agent",
    input: taskId,
    result: z.array(taskProgress),
  }),
};
