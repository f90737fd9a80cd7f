import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { text } from "../text.ts";

export const TASK_STATUSES = ["open", "claimed", "done", "cancelled"] as const;
export const taskStatus = oneOf(TASK_STATUSES);
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** From least to most pressing; the stored rank is the index. */
export const TASK_PRIORITIES = ["low", "normal", "high", "urgent"] as const;
export const taskPriority = oneOf(TASK_PRIORITIES);
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

export const PROGRESS_KINDS = ["progress", "note", "blocker"] as const;
export const progressKind = oneOf(PROGRESS_KINDS);

export const taskProgress = z
  .object({
    taskId: identifier,
    sequence: z.int(),
    agentId: identifier,
    executionId: identifier,
    kind: progressKind,
    text: z.string(),
    createdAt: instant,
  })
  .meta({ id: "TaskProgress" });
export type TaskProgress = z.output<typeof taskProgress>;

export const task = z
  .object({
    id: identifier,
    scopeId: identifier,
    title: z.string(),
    description: z.string(),
    createdBy: identifier.nullable().meta({ description: "Agent that added the task; null for the owner." }),
    claimedBy: identifier.optional(),
    claimedExecutionId: identifier.optional(),
    status: taskStatus,
    priority: taskPriority,
    requires: z.array(identifier).meta({ description: "Capabilities an agent needs to claim the task." }),
    dependencies: z.array(identifier),
    blockedBy: z.array(identifier).meta({ description: "Dependencies that are not done." }),
    ready: z.boolean().meta({ description: "Open, and every dependency is done." }),
    recentProgress: z.array(taskProgress),
    note: z.string().optional(),
    cancelReason: z.string().optional(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "Task" });
export type Task = z.output<typeof task>;

export const taskTitle = text(LIMITS.taskTitleBytes);
export const taskDescription = text(LIMITS.taskDescriptionBytes, 0);
