import { equal, holds, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

/** Scopes and the daemon as a whole. */
export const scopeChecks: readonly Check<Stage>[] = [
  {
    name: "scope-settings",
    proves: "The owner reads the scope and changes its link policy, which is an event; an agent may do neither.",
    async run(stage) {
      const owner = await stage.scope();
      const before = await owner.revision();
      matches("a new scope", await owner.call("getScope", {}), { scopeId: owner.scopeId, linkPolicy: "explicit" });
      matches("the changed scope", await owner.call("updateScope", { linkPolicy: "open" }), { linkPolicy: "open" });
      matches("the event", await owner.eventOf("scope.policy_changed", before), { attributes: { linkPolicy: "open" } });
      const listed = (await stage.admin.call("listScopes", {})).find(({ scopeId }) => scopeId === owner.scopeId);
      matches("the scope on the list", listed, { linkPolicy: "open" });
      const ada = await owner.agent("ada");
      await ada.refused("getScope", {}, "PERMISSION_DENIED");
      await ada.refused("updateScope", { linkPolicy: "explicit" }, "PERMISSION_DENIED");
      await owner.refused("updateScope", { linkPolicy: "sometimes" }, "INVALID_ARGUMENT");
    },
  },
  {
    name: "open-link-policy",
    proves: "In an open scope every agent is a peer of every other; when it is closed again, only links count.",
    async run(stage) {
      const owner = await stage.scope({ linkPolicy: "open" });
      const ada = await owner.agent("ada");
      const ben = await owner.agent("ben");
      equal(
        "the peers of ada",
        (await ada.call("listPeers", {})).map(({ id }) => id),
        [ben.id],
      );
      const id = await ada.tell(ben);
      await ada.refused("sendMessage", { to: "nobody", body: "Hello." }, "NOT_FOUND");
      await ada.refused("requestLink", { to: ben.id }, "CONFLICT");
      await owner.call("updateScope", { linkPolicy: "explicit" });
      equal("the peers in a closed scope", await ada.call("listPeers", {}), []);
      await ada.refused("sendMessage", { to: ben.id, body: "Hello." }, "PERMISSION_DENIED");
      equal(
        "what ben receives of before",
        (await ben.pull()).map((message) => message.id),
        [id],
      );
    },
  },
  {
    name: "overview",
    proves: "The admin sees each scope in numbers, which follow what happens; nobody else does.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      await ada.call("heartbeat", { lifecycle: "ready", ready: true });
      await ada.tell(ben);
      await ada.call("sendMessage", { to: "human", toKind: "human", body: "Hello." });
      await ada.claimed();
      await owner.call("addTask", { title: "Open" });
      await ada.call("askHuman", { question: "Why?" });
      const cleo = await owner.agent("cleo");
      await cleo.call("requestLink", { to: ada.id });
      const { scopes, totals, eventSequence } = await stage.admin.call("overview", {});
      matches(
        "the scope in numbers",
        scopes.find(({ scopeId }) => scopeId === owner.scopeId),
        {
          agents: 3,
          reachableAgents: 3,
          readyAgents: 1,
          openTasks: 1,
          claimedTasks: 1,
          pendingEscalations: 1,
          pendingLinkRequests: 1,
          undeliveredMessages: 1,
          unreadHumanMessages: 1,
        },
      );
      holds("the totals", totals.scopes >= 1 && totals.agents >= 3, { expected: "at least this scope", got: totals });
      holds("the event sequence", eventSequence > 0, { expected: "more than 0", got: eventSequence });
      await owner.refused("overview", {}, "UNAUTHENTICATED");
      await ada.refused("overview", {}, "UNAUTHENTICATED");
    },
  },
];
