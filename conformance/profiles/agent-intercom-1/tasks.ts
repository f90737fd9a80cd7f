import { absent, equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

const WAIT_MS = 10_000;

/** What tasks can do beyond October Bus 0.1. */
export const taskChecks: readonly Check<Stage>[] = [
  {
    name: "task-details",
    proves: "One task can be read alone; it shows priority, requirements, what blocks it and which execution has it.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const first = await ada.claimed();
      const input = { title: "Second", priority: "high" as const, requires: ["build"], dependencies: [first] };
      const { id } = await owner.call("addTask", input);
      const expected = { priority: "high", requires: ["build"], blockedBy: [first], ready: false, createdBy: null };
      matches("the blocked task", await ada.call("getTask", { taskId: id }), expected);
      const claimed = { createdBy: ada.id, claimedBy: ada.id, claimedExecutionId: ada.executionId, priority: "normal" };
      matches("the claimed task", await owner.call("getTask", { taskId: first }), claimed);
      await ada.call("completeTask", { taskId: first });
      matches("the task that was blocked", await ada.call("getTask", { taskId: id }), { blockedBy: [], ready: true });
      await owner.refused("getTask", { taskId: "task_nothing" }, "NOT_FOUND");
    },
  },
  {
    name: "claim-next",
    proves:
      "An agent takes the best task it can do: by priority, then by age, among those it has the capabilities for.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada", { capabilities: [{ name: "build" }] });
      const add = async (title: string, more = {}) => (await owner.call("addTask", { title, ...more })).id;
      const low = await add("Low", { priority: "low" });
      const older = await add("Older");
      const newer = await add("Newer");
      const urgent = await add("Urgent", { priority: "urgent", requires: ["build"] });
      const other = await add("For others", { priority: "urgent", requires: ["paint"] });
      const blocked = await add("Blocked", { priority: "urgent", dependencies: [other] });
      for (const expected of [urgent, older, newer, low]) {
        matches("the next task", await ada.call("claimNextTask", {}), { id: expected, claimedBy: ada.id });
      }
      equal("the next task when there is none", await ada.call("claimNextTask", {}), null);
      const { details } = await ada.refused("claimTask", { taskId: other }, "PERMISSION_DENIED");
      matches("the details of a claim without the capability", details, { missing: ["paint"] });
      await ada.refused("claimTask", { taskId: blocked }, "CONFLICT");
      await owner.refused("claimNextTask", {}, "UNAUTHENTICATED");
    },
  },
  {
    name: "claim-next-waits",
    proves: "claim-next stays open until there is a task to take.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const waiting = ada.call("claimNextTask", { waitMs: WAIT_MS });
      waiting.catch(() => {});
      const { id } = await owner.call("addTask", { title: "At last" });
      matches("what the wait brings", await waiting, { id, claimedBy: ada.id });
      equal("what a wait in vain brings", await ada.call("claimNextTask", { waitMs: 20 }), null);
    },
  },
  {
    name: "task-update",
    proves: "The owner and the agent that added a task change it until it is over; nobody else does.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const { id: taskId } = await ada.call("addTask", { title: "First" });
      const change = { title: "Second", description: "More", priority: "urgent" as const, requires: ["build"] };
      const before = await owner.revision();
      matches("the changed task", await ada.call("updateTask", { taskId, ...change }), change);
      matches("the event", await owner.eventOf("task.updated", before), { subjectId: taskId });
      matches("what the owner changes", await owner.call("updateTask", { taskId, requires: [] }), { requires: [] });
      await ben.refused("updateTask", { taskId, title: "Third" }, "PERMISSION_DENIED");
      await ada.call("claimTask", { taskId });
      await ada.call("completeTask", { taskId });
      await owner.refused("updateTask", { taskId, title: "Third" }, "CONFLICT");
    },
  },
  {
    name: "task-dependencies-edited",
    proves: "Dependencies are added and removed later; circles, the task itself and unknown tasks are refused.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const add = async (title: string) => (await ada.call("addTask", { title })).id;
      const [first, second, third] = [await add("First"), await add("Second"), await add("Third")];
      const edited = await ada.call("editTaskDependencies", { taskId: second, add: [first] });
      matches("the task with a dependency", edited, { dependencies: [first], blockedBy: [first], ready: false });
      await owner.eventOf("task.dependencies_changed");
      await ada.call("editTaskDependencies", { taskId: third, add: [second] });
      await ada.refused("editTaskDependencies", { taskId: first, add: [third] }, "CONFLICT");
      await ada.refused("editTaskDependencies", { taskId: first, add: [first] }, "INVALID_ARGUMENT");
      await ada.refused("editTaskDependencies", { taskId: first, add: ["task_nothing"] }, "NOT_FOUND");
      await ben.refused("editTaskDependencies", { taskId: second, remove: [first] }, "PERMISSION_DENIED");
      const freed = await owner.call("editTaskDependencies", { taskId: second, remove: [first] });
      matches("the task without it", freed, { dependencies: [], blockedBy: [], ready: true });
    },
  },
  {
    name: "task-cancel",
    proves:
      "A task is called off with a reason by the owner or the agent that added it; what depends on it stays blocked.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const { id: taskId } = await ada.call("addTask", { title: "First" });
      const second = await ada.call("addTask", { title: "Second", dependencies: [taskId] });
      await ben.call("claimTask", { taskId });
      await ben.refused("cancelTask", { taskId }, "PERMISSION_DENIED");
      const cancelled = await ada.call("cancelTask", { taskId, reason: "Not needed" });
      matches("the cancelled task", cancelled, { status: "cancelled", cancelReason: "Not needed", claimedBy: absent });
      matches("the event", await owner.eventOf("task.cancelled"), { attributes: { previousClaimedBy: ben.id } });
      await ben.refused("completeTask", { taskId }, "CONFLICT");
      await ben.refused("claimTask", { taskId }, "CONFLICT");
      await ada.refused("cancelTask", { taskId }, "CONFLICT");
      matches("what depends on it", await owner.call("getTask", { taskId: second.id }), {
        ready: false,
        blockedBy: [taskId],
      });
      await owner.call("editTaskDependencies", { taskId: second.id, remove: [taskId] });
      matches("the same without it", await owner.call("getTask", { taskId: second.id }), { ready: true });
      matches("what the owner calls off", await owner.call("cancelTask", { taskId: second.id }), {
        status: "cancelled",
      });
    },
  },
];
