import { LIMITS, type OperationName } from "../../../protocol/index.ts";
import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { Party } from "./party.ts";
import type { Stage } from "./stage.ts";

const EXPIRED_AFTER_MS = LIMITS.leaseMinMs + 1000;

async function refusedFor(party: Party, name: OperationName, reason: string, input = {}): Promise<void> {
  const { details } = await party.refused(name, input, "UNAUTHENTICATED");
  equal(`the reason why ${name} was refused`, details?.reason, reason);
}

/** Why credentials are refused, and who an owner is. */
export const credentialChecks: readonly Check<Stage>[] = [
  {
    name: "refusal-reasons",
    proves: "UNAUTHENTICATED says whether a credential is missing, unknown, replaced or retired.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      for (const name of ["whoAmI", "getScope", "listScopes", "listTasks"] as const) {
        await refusedFor(stage.nobody, name, "missing");
        await refusedFor(new Party(stage.run.http, "a-token-nobody-gave-out"), name, "unknown");
      }
      await owner.agent(ada.id);
      await refusedFor(ada, "whoAmI", "replaced");
      await refusedFor(ada, "retire", "replaced");
      await ben.call("retire", {});
      await refusedFor(ben, "whoAmI", "retired");
      const { scopeToken } = await stage.admin.call("rotateScopeToken", { scopeId: owner.scopeId });
      await refusedFor(owner, "getScope", "unknown");
      await new Party(stage.run.http, scopeToken).call("getScope", {});
    },
  },
  {
    name: "expired-lease",
    proves:
      "When a lease runs out its token is refused as expired, its claims are free and say why; it may still retire.",
    async run(stage) {
      const owner = await stage.scope();
      const ada = await owner.agent("ada", { leaseMs: LIMITS.leaseMinMs });
      const taskId = await ada.claimed();
      const before = await owner.revision();
      await stage.run.pause(EXPIRED_AFTER_MS);
      await refusedFor(ada, "whoAmI", "expired");
      await refusedFor(ada, "heartbeat", "expired", { lifecycle: "ready", ready: true });
      matches("the agent", await owner.call("getAgent", { agentId: ada.id }), {
        reachable: false,
        lifecycle: "offline",
      });
      matches("the task", await owner.call("getTask", { taskId }), { status: "open", ready: true });
      matches("the event of the task", await owner.eventOf("task.released", before), {
        subjectId: taskId,
        attributes: { previousClaimedBy: ada.id, reason: "execution_expired" },
      });
      await owner.eventOf("agent.lease_expired", before);
      await ada.call("retire", {});
    },
  },
  {
    name: "owner-scope-header",
    proves: "The admin token with Intercom-Scope acts as that scope's owner; a scope token cannot name another scope.",
    async run(stage) {
      const owner = await stage.scope();
      const other = await stage.scope();
      const { scopeId } = await owner.byHeader.call("getScope", {});
      equal("the scope named by the header", scopeId, owner.scopeId);
      const before = await owner.revision();
      await owner.byHeader.call("addTask", { title: "By header" });
      matches("who added the task", await owner.eventOf("task.created", before), { attributes: { actor: "owner" } });
      await owner.call("addTask", { title: "By token" });
      matches("who added the other task", await owner.eventOf("task.created", before + 1), {
        attributes: { actor: "scope" },
      });
      await stage.admin.refused("getScope", {}, "UNAUTHENTICATED");
      await new Party(stage.run.http, stage.run.adminToken, "no-such-scope").refused("getScope", {}, "NOT_FOUND");
      await new Party(stage.run.http, owner.token, other.scopeId).refused("getScope", {}, "PERMISSION_DENIED");
    },
  },
];
