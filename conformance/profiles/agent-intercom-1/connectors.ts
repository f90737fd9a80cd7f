import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { Party } from "./party.ts";
import { AgentParty, type OwnerParty, type Stage } from "./stage.ts";

/** A connector for agents called `claude`, and who holds its credential. */
export async function connectorOf(owner: OwnerParty) {
  const { connector, credential } = await owner.call("createConnector", { name: "Claude", agentName: "claude" });
  const holder = new Party(owner.run.http, credential);
  return {
    connectorId: connector.id,
    holder,
    window: async (session: string) => new AgentParty(owner.run.http, await holder.call("connect", { session })),
  };
}

/** Clients of MCP that become agents by themselves. */
export const connectorChecks: readonly Check<Stage>[] = [
  {
    name: "connector-windows",
    proves:
      "Each session of a connector is an agent of its own; a name that was let go is taken up again with its inbox.",
    async run(stage) {
      const owner = await stage.scope({ linkPolicy: "open" });
      const { connectorId, window } = await connectorOf(owner);
      const [first, second] = [await window("one"), await window("two")];
      equal("the agents of two sessions", [first.id, second.id], ["claude", "claude-2"]);
      const [listed] = await owner.call("listConnectors", {});
      matches("the connector on the list", listed, { id: connectorId, connectedAgents: ["claude", "claude-2"] });
      await second.tell(first);
      await first.call("retire", {});
      const third = await window("three");
      equal("the agent of a third session", third.id, "claude");
      equal("messages that waited for it", (await third.pull()).length, 1);
    },
  },
  {
    name: "connector-session-again",
    proves: "A session that connects again keeps its execution and claims; its former token is refused as replaced.",
    async run(stage) {
      const { window } = await connectorOf(await stage.scope());
      const before = await window("one");
      const taskId = await before.claimed();
      const after = await window("one");
      equal("the execution of the session", after.executionId, before.executionId);
      const { details } = await before.refused("whoAmI", {}, "UNAUTHENTICATED");
      equal("the reason why the former token was refused", details?.reason, "replaced");
      await after.call("completeTask", { taskId });
    },
  },
  {
    name: "connector-leaves-others-alone",
    proves: "An agent that was registered in another way is never taken over, also when it is away.",
    async run(stage) {
      const owner = await stage.scope();
      await (await owner.agent("claude")).call("retire", {});
      equal("the agent of the session", (await (await connectorOf(owner)).window("one")).id, "claude-2");
    },
  },
  {
    name: "connector-rotated-and-revoked",
    proves: "Rotating replaces the secret and ends nobody; revoking ends what the connector runs and frees its claims.",
    async run(stage) {
      const owner = await stage.scope();
      const { connectorId, holder, window } = await connectorOf(owner);
      const agent = await window("one");
      const taskId = await agent.claimed();
      const rotated = await owner.call("rotateConnector", { connectorId });
      await holder.refused("connect", {}, "UNAUTHENTICATED");
      await holder.refused("getScope", {}, "UNAUTHENTICATED");
      await agent.call("whoAmI", {});
      const next = new Party(stage.run.http, rotated.credential);
      await next.refused("getScope", {}, "PERMISSION_DENIED");
      await owner.call("revokeConnector", { connectorId });
      await next.refused("connect", {}, "UNAUTHENTICATED");
      await agent.refused("whoAmI", {}, "UNAUTHENTICATED");
      matches("the task it had claimed", await owner.call("getTask", { taskId }), { status: "open" });
      matches("its agent", await owner.call("getAgent", { agentId: "claude" }), { reachable: false });
    },
  },
];
