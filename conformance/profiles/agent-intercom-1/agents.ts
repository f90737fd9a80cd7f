import { absent, equal, holds, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

/** What is known of agents beyond October Bus 0.1. */
export const agentChecks: readonly Check<Stage>[] = [
  {
    name: "agent-profile",
    proves: "An agent tells and changes its name, summary, capabilities and program; others see it; it is an event.",
    async run(stage) {
      const owner = await stage.scope();
      const metadata = { harness: "checker", model: "none", pid: 1 };
      const ada = await owner.agent("ada", { summary: "Checks things", metadata });
      const ben = await owner.agent("ben", { connectTo: [ada.id] });
      matches("the new agent", await owner.call("getAgent", { agentId: ada.id }), {
        summary: "Checks things",
        metadata,
      });
      const before = await owner.revision();
      const change = { displayName: "Ada", summary: "Builds things", capabilities: [{ name: "build" }] };
      matches("the changed agent", await ada.call("updateProfile", change), { ...change, metadata });
      matches("the event", await owner.eventOf("agent.profile_changed", before), { subjectId: ada.id });
      await ada.call("heartbeat", { lifecycle: "working", ready: false, summary: "Building" });
      const peers = await ben.call("listPeers", {});
      matches("what a peer sees", peers, [
        { displayName: "Ada", summary: "Building", capabilities: [{ name: "build" }] },
      ]);
      const newline = { metadata: { colour: "blue" } };
      await ada.refused("updateProfile", newline, "INVALID_ARGUMENT");
    },
  },
  {
    name: "agent-presence-and-debts",
    proves: "An agent shows when it was last seen, and how many messages and answers it owes.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const look = () => owner.call("getAgent", { agentId: ben.id });
      const first = await look();
      matches("the debts of a new agent", first.owes, { undelivered: 0, unanswered: 0 });
      const requestId = await ada.tell(ben, { mode: "request" });
      matches("the debts with a request on the way", (await look()).owes, { undelivered: 1, unanswered: 0 });
      await ben.pull();
      matches("the debts after delivery", (await look()).owes, { undelivered: 0, unanswered: 1 });
      await ben.tell(ada, { mode: "response", responseTo: requestId });
      matches("the debts after the answer", (await look()).owes, { undelivered: 0, unanswered: 0 });
      await stage.run.pause(5);
      await ben.call("heartbeat", { lifecycle: "idle", ready: true });
      const { lastSeenAt } = await look();
      holds("lastSeenAt after a heartbeat", lastSeenAt > first.lastSeenAt, {
        expected: `later than ${first.lastSeenAt}`,
        got: lastSeenAt,
      });
    },
  },
  {
    name: "agent-removal",
    proves: "The owner takes an agent off the list; registering it again brings it back with what waits for it.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const id = await ada.tell(ben);
      const before = await owner.revision();
      equal("the removal", await owner.call("removeAgent", { agentId: ben.id }), { removed: true });
      await owner.eventOf("agent.removed", before);
      await ben.refused("whoAmI", {}, "UNAUTHENTICATED");
      await owner.refused("getAgent", { agentId: ben.id }, "NOT_FOUND");
      equal(
        "the agents",
        (await owner.call("listAgents", {})).map((agent) => agent.id),
        [ada.id],
      );
      equal("the peers of ada", await ada.call("listPeers", {}), []);
      const back = await owner.agent(ben.id);
      equal(
        "what it receives",
        (await back.pull()).map((message) => message.id),
        [id],
      );
      equal(
        "the peers of ada again",
        (await ada.call("listPeers", {})).map((agent) => agent.id),
        [ben.id],
      );
      await ada.refused("removeAgent", { agentId: ben.id }, "PERMISSION_DENIED");
    },
  },
  {
    name: "execution-events",
    proves: "Executions leave their traces as events: registered, changed, replaced by another one, retired.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada");
      matches("the registration", await owner.eventOf("agent.registered"), {
        attributes: { executionId: ada.executionId, lifecycle: "starting", reason: absent },
      });
      await ada.call("heartbeat", { lifecycle: "ready", ready: true });
      const changed = { executionId: ada.executionId, lifecycle: "ready", ready: "true" };
      matches("the change", await owner.eventOf("agent.lifecycle_changed"), { attributes: changed });
      const revision = await owner.revision();
      await ada.call("heartbeat", { lifecycle: "ready", ready: true });
      equal("the revision after a heartbeat that changes nothing", await owner.revision(), revision);
      await ada.call("retire", {});
      const retired = { lifecycle: "offline", ready: "false", reason: "retired" };
      matches("the retirement", await owner.eventOf("agent.lifecycle_changed", revision), { attributes: retired });
    },
  },
];
