import { z } from "zod";
import { equal, holds, matches, read } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { McpClient } from "../../mcp/client.ts";
import { BUS_TOOLS } from "../../mcp/tools.ts";
import { agents, health, nodeStatus } from "../local-0.1/objects.ts";
import type { AdapterWorld } from "./world.ts";

/** A change must be seen within this time of a heartbeat. */
const SEEN_WITHIN_MS = 250;
const LOOK_EVERY_MS = 25;
const WAITING_CHECK_AGENT = "drain-host";

/** Checks 1 to 3 and 5: who the adapter is. */
export const startChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "health-and-version",
    proves: "The runtime behind the adapter is ready, speaks October Bus 0.1 and lets executions retire.",
    async run({ nobody }) {
      const answer = await nobody.send("GET", "/health");
      equal("the status of /health", answer.status, 200);
      const { protocolVersion, status, features = [] } = read("/health", answer.body, health);
      equal("the identity in /health", { protocolVersion, status }, { protocolVersion: "0.1", status: "ready" });
      holds("the features in /health", features.includes("session-retirement"), {
        expected: "session-retirement among them",
        got: features,
      });
    },
  },
  {
    name: "adapter-start-and-execution-identity",
    proves: "The adapter starts, offers exactly the 15 tools, and acts as the execution it was given.",
    async run(world) {
      await world.createScope();
      const controller = world.controller.set(await world.session("controller"));
      const worker = world.worker.set(await world.session("worker", [controller.agent.id]));
      const tools = new McpClient(world.startAdapter(worker));
      await tools.initialize();
      // Later checks can go on with an adapter that has a tool too few.
      world.tools.set(tools);
      equal("the tools", (await tools.listTools()).map(({ name }) => name).sort(), [...BUS_TOOLS].sort());
      const { identity } = read("get_node_status", await tools.call("get_node_status", {}), nodeStatus);
      const { id: agentId, executionId } = worker.agent;
      matches("the identity", identity, { scopeId: world.scopeId, agentId, executionId });
    },
  },
  {
    name: "external-heartbeat",
    proves: "Heartbeats sent by somebody else are seen through the adapter, each of them.",
    async run(world) {
      const tools = world.tools.get();
      const worker = world.worker.get();
      const look = async () => read("get_node_status", await tools.call("get_node_status", {}), nodeStatus).agent;
      const before = await look();
      const { beats } = worker;
      for (let passed = 0; passed < SEEN_WITHIN_MS || worker.beats === beats; passed += LOOK_EVERY_MS) {
        await world.run.pause(LOOK_EVERY_MS);
      }
      const { updatedAt, ready, reachable } = await look();
      holds("updatedAt after a heartbeat", updatedAt !== before.updatedAt, {
        expected: `later than ${before.updatedAt}`,
        got: updatedAt,
      });
      equal("the presence", { ready, reachable }, { ready: true, reachable: true });
    },
  },
];

export const discoveryChecks: readonly Check<AdapterWorld>[] = [
  {
    name: "exact-peer-discovery",
    proves: "The adapter shows the agents the worker is linked with, and no others.",
    async run(world) {
      const { tools } = await world.stage();
      const bystander = await world.session("bystander");
      try {
        const { peers } = read("list_peers", await tools.call("list_peers", {}), z.looseObject({ peers: agents }));
        // The waiting check has linked an agent of its own.
        const ids = peers.map(({ id }) => id).filter((id) => id !== WAITING_CHECK_AGENT);
        equal("the peers", ids, ["controller"]);
      } finally {
        await bystander.close();
      }
    },
  },
];
