import { z } from "zod";
import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { at } from "../../http/path.ts";
import { agents, escalation, task, taskProgress } from "./objects.ts";
import type { Agent, LocalWorld } from "./world.ts";

type Step = "claim" | "release" | "complete";

async function step(who: Agent, taskId: string, name: Step) {
  return who.post(at`/v1/tasks/${taskId}/${name}`, {}, task);
}

async function addTask(world: LocalWorld, title: string, dependencies?: string[]): Promise<string> {
  const input = { title: world.says(title), ...(dependencies ? { dependencies } : {}) };
  return (await world.planner.get().post("/v1/tasks", input, task, 201)).id;
}

/** Checks 15 to 18: tasks, executions and questions. */
export const workChecks: readonly Check<LocalWorld>[] = [
  {
    name: "task-dependencies-release-and-completion",
    proves: "A task can be claimed once its dependencies are done, given back, claimed again and completed.",
    async run(world) {
      const [planner, reviewer] = [world.planner.get(), world.reviewer.get()];
      const first = await addTask(world, "Write the plan down");
      const second = await addTask(world, "Carry the plan out", [first]);
      await planner.refused("POST", at`/v1/tasks/${second}/claim`, {}, "CONFLICT");
      matches("the claimed task", await step(reviewer, first, "claim"), { status: "claimed", claimedBy: "reviewer" });
      const released = await step(reviewer, first, "release");
      equal("the released task", [released.status, released.claimedBy], ["open", undefined]);
      await step(reviewer, first, "claim");
      equal("the status of the first task", (await step(reviewer, first, "complete")).status, "done");
      await step(planner, second, "claim");
      equal("the status of the second task", (await step(planner, second, "complete")).status, "done");
    },
  },
  {
    name: "durable-task-progress",
    proves: "Progress on a claimed task is numbered, names its agent, and stays readable after completion.",
    async run(world) {
      const reviewer = world.reviewer.get();
      const id = await addTask(world, "Report on the way");
      await step(reviewer, id, "claim");
      const text = world.says("Half of it is done.");
      const path = at`/v1/tasks/${id}/progress`;
      const added = await reviewer.post(path, { kind: "progress", text }, taskProgress, 201);
      matches("the progress entry", added, { taskId: id, sequence: 1, agentId: "reviewer", text });
      await step(reviewer, id, "complete");
      matches("the progress the owner reads", await world.owner.get().get(path, z.array(taskProgress)), [{ text }]);
    },
  },
  {
    name: "execution-replacement-and-stale-claim-recovery",
    proves: "Registering an agent again shuts its old execution out and frees its claims, while its links stay.",
    async run(world) {
      const old = world.reviewer.get();
      const id = await addTask(world, "Survive a restart");
      await step(old, id, "claim");
      const again = { id: "reviewer", displayName: "Reviewer", capabilities: [{ name: "review" }] };
      const reviewer = world.reviewer.set(await world.register(world.owner.get(), again));
      await old.refused("GET", "/v1/tasks", undefined, "UNAUTHENTICATED");
      const late = { kind: "note", text: "Too late." };
      await old.refused("POST", at`/v1/tasks/${id}/progress`, late, "UNAUTHENTICATED");
      await step(reviewer, id, "claim");
      equal("the status of the task", (await step(reviewer, id, "complete")).status, "done");
      const peers = await reviewer.get("/v1/peers", agents);
      equal(
        "the peers after the replacement",
        peers.map((peer) => peer.id),
        ["planner"],
      );
    },
  },
  {
    name: "human-escalation-boundary",
    proves: "An agent asks, and only the owner answers.",
    async run(world) {
      const [planner, owner] = [world.planner.get(), world.owner.get()];
      const input = { question: world.says("Shall the plan be carried out?"), options: ["yes", "no"] };
      const { id, status } = await planner.post("/v1/escalations", input, escalation, 201);
      equal("the status of the question", status, "pending");
      const resolve = at`/v1/scope/escalations/${id}/resolve`;
      await planner.refused("POST", resolve, { answer: "yes" }, "PERMISSION_DENIED");
      const pending = await owner.get("/v1/scope/escalations", z.array(escalation));
      equal(
        "the questions of the scope",
        pending.map((each) => each.id),
        [id],
      );
      const resolved = await owner.post(resolve, { answer: "yes" }, escalation);
      matches("the answered question", resolved, { status: "resolved", answer: "yes" });
    },
  },
];
