import { z } from "zod";
import { equal, matches, read } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { at } from "../../http/path.ts";
import type { McpClient } from "../../mcp/client.ts";
import type { BusTool } from "../../mcp/tools.ts";
import { escalation, task, taskProgress } from "../local-0.1/objects.ts";
import type { AdapterWorld } from "./world.ts";

async function onTask(tools: McpClient, name: BusTool, args: Readonly<Record<string, unknown>>) {
  return read(name, await tools.call(name, args), task);
}

/** Checks 10 and 11: tasks and questions. */
export const workChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "shared-task-lifecycle",
    proves: "A task goes through its whole life by tools, and what depends on it is free afterwards.",
    async run(world) {
      const { tools, worker, controller } = await world.stage();
      const first = (await onTask(tools, "add_task", { title: "First", description: "Before the second" })).id;
      const second = (await onTask(tools, "add_task", { title: "Second", dependencies: [first] })).id;
      await tools.callRefused("claim_task", { taskId: second });
      const claimed = await onTask(tools, "claim_task", { taskId: first });
      matches("the claimed task", claimed, { status: "claimed", claimedBy: worker.id });
      const report = { taskId: first, kind: "progress", text: "Half of it is done." };
      const added = read("add_task_progress", await tools.call("add_task_progress", report), taskProgress);
      matches("the progress entry", added, { sequence: 1, agentId: worker.id });
      const list = await tools.call("list_task_progress", { taskId: first });
      const { progress } = read("list_task_progress", list, z.looseObject({ progress: z.array(taskProgress) }));
      matches("the list of progress", progress, [{ text: report.text }]);
      equal("the status after release", (await onTask(tools, "release_task", { taskId: first })).status, "open");
      await onTask(tools, "claim_task", { taskId: first });
      const done = await onTask(tools, "complete_task", { taskId: first, note: "All of it" });
      matches("the completed task", done, { status: "done", note: "All of it" });
      const tasks = read(
        "list_tasks",
        await tools.call("list_tasks", {}),
        z.looseObject({ tasks: z.array(task) }),
      ).tasks;
      equal("the listed tasks", tasks.map(({ id }) => id).sort(), [first, second].sort());
      await controller.post(at`/v1/tasks/${second}/claim`, {}, task);
      const finished = await controller.post(at`/v1/tasks/${second}/complete`, {}, task);
      equal("the status of the second task", finished.status, "done");
    },
  },
  {
    name: "human-escalation-boundary",
    proves: "A question asked through the adapter stays open until the owner answers it.",
    async run(world) {
      const { tools, worker } = await world.stage();
      const owner = world.owner.get();
      const input = { question: "Shall I go on?", options: ["yes", "no"] };
      const asked = read("ask_user", await tools.call("ask_user", input), escalation);
      matches("the question", asked, { agentId: worker.id, status: "pending", ...input });
      const resolve = at`/v1/scope/escalations/${asked.id}/resolve`;
      await worker.refused("POST", resolve, { answer: "yes" }, "PERMISSION_DENIED");
      const questions = await owner.get("/v1/scope/escalations", z.array(escalation));
      matches("the questions of the scope", questions, [{ id: asked.id, status: "pending" }]);
      const resolved = await owner.post(resolve, { answer: "yes" }, escalation);
      matches("the answered question", resolved, { status: "resolved", answer: "yes" });
    },
  },
];
