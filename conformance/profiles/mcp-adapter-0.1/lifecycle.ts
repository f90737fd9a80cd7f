import { different, equal, holds, matches } from "../../core/assert.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Check } from "../../core/profile.ts";
import { at } from "../../http/path.ts";
import { agents, registration, task } from "../local-0.1/objects.ts";
import { Agent } from "../local-0.1/world.ts";
import { LEASE_MS } from "./session.ts";
import type { AdapterWorld } from "./world.ts";

const GONE_WITHIN_MS = 33_000;
const LOOK_EVERY_MS = 1000;

async function find(world: AdapterWorld, id: string) {
  const found = (await world.owner.get().get("/v1/agents", agents)).find((agent) => agent.id === id);
  if (found) return found;
  throw new CheckFailure(`The agent ${id} is not on the list`, { expected: id, got: "nothing" });
}

/** Checks 12 to 14: how executions end, and what an adapter keeps to itself. */
export const lifecycleChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "execution-replacement",
    proves: "Once its execution was replaced, an adapter can do nothing more.",
    async run(world) {
      const { tools, worker } = await world.stage();
      await world.worker.get().stop();
      const replaced = world.worker.set(await world.session("worker"));
      different("the execution", replaced.agent.executionId, worker.executionId);
      await tools.callRefused("list_tasks", {});
    },
  },
  {
    name: "clean-and-expired-lifecycle",
    proves: "A retired execution is gone at once, one without heartbeats when its lease ends, and its claims are free.",
    async run(world) {
      const { agent: worker } = world.worker.get();
      await world.worker.get().close();
      const beat = { lifecycle: "ready", ready: true, leaseMs: LEASE_MS };
      await worker.refused("PATCH", "/v1/me/heartbeat", beat, "UNAUTHENTICATED");
      const { lifecycle, reachable } = await find(world, worker.id);
      equal("the closed agent", { lifecycle, reachable }, { lifecycle: "offline", reachable: false });

      const owner = world.owner.get();
      const register = async (id: string) =>
        new Agent(owner, await owner.post("/v1/agents", { id, displayName: id, leaseMs: LEASE_MS }, registration, 201));
      const silent = await register("silent");
      const { id: taskId } = await owner.post("/v1/tasks", { title: "Left behind" }, task, 201);
      await silent.post(at`/v1/tasks/${taskId}/claim`, {}, task);
      let gone = false;
      for (let passed = 0; passed < GONE_WITHIN_MS && !gone; passed += LOOK_EVERY_MS) {
        await world.run.pause(LOOK_EVERY_MS);
        gone = !(await find(world, silent.id)).reachable;
      }
      const expected = `unreachable within ${GONE_WITHIN_MS / 1000} s`;
      holds("the agent without heartbeats", gone, { expected, got: "reachable" });
      const successor = await register("successor");
      const claimed = await successor.post(at`/v1/tasks/${taskId}/claim`, {}, task);
      matches("the task left behind", claimed, { status: "claimed", claimedBy: successor.id });
    },
  },
  {
    name: "credential-isolation",
    proves: "Nothing the adapter has written to standard error holds an owner's credential.",
    async run(world) {
      world.tools.get();
      for (const adapter of world.adapters) await adapter.close();
      const stderr = world.adapters.map((adapter) => adapter.stderr).join("\n");
      const leaked = world.ownerSecrets.some((secret) => stderr.includes(secret));
      holds("the standard error of the adapter", !leaked, { expected: "no owner credential", got: stderr });
    },
  },
];
