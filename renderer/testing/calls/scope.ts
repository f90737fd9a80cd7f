import { agentKey } from "../../../protocol/desktop/live.ts";
import type { Agent } from "../../../protocol/objects/agent.ts";
import type { World } from "../world.ts";
import { type Calls, found, pageAfter, pageBefore } from "./calls.ts";

function agentsOf(world: World, scopeId: string): Agent[] {
  return Object.values(world.live.agents).filter((agent) => agent.scopeId === scopeId);
}

const NOTHING_PRUNED = {
  messages: 0,
  tasks: 0,
  taskProgress: 0,
  escalations: 0,
  events: 0,
  a2aTasks: 0,
  a2aMessages: 0,
  linkRequests: 0,
} as const;

export const scopeCalls: Calls = {
  getScope: (world, _input, scopeId) => found(world.live.scopes[scopeId], scopeId),
  listAgentsPage(world, input, scopeId) {
    const { items, ...more } = pageAfter(agentsOf(world, scopeId), ({ id }) => id, input);
    return { agents: items, ...more };
  },
  getAgent: (world, { agentId }, scopeId) => found(world.agent(scopeId, agentId), agentId),
  removeAgent(world, { agentId }, scopeId) {
    const removed = world.agent(scopeId, agentId) !== undefined;
    world.apply([{ kind: "agents", put: [], drop: [agentKey(scopeId, agentId)] }]);
    if (removed) world.tell(scopeId, "agent.removed", agentId, {});
    return { removed };
  },
  linkAgents(world, { left, right }, scopeId) {
    world.links.push({ left, right, createdAt: new Date().toISOString() });
    world.tell(scopeId, "link.created", `${left}:${right}`, { leftAgent: left, rightAgent: right });
    return { linked: true };
  },
  listLinks: (world) => ({ links: [...world.links] }),
  listLinkRequests: (world, input, scopeId) => ({
    linkRequests: world.linkRequests.filter(
      (one) => one.scopeId === scopeId && (input.status === undefined || one.status === input.status),
    ),
  }),
  resolveLinkRequest(world, { linkRequestId, accept }, scopeId) {
    const index = world.linkRequests.findIndex(({ id }) => id === linkRequestId);
    const request = found(world.linkRequests[index], linkRequestId);
    const status = accept ? "accepted" : "declined";
    const resolved = { ...request, status, resolvedAt: new Date().toISOString() } as const;
    world.linkRequests[index] = resolved;
    world.tell(scopeId, "link.request_resolved", linkRequestId, { from: request.from, to: request.to, status });
    return resolved;
  },
  listConnectors: () => [],
  listEventsPage(world, input, scopeId) {
    const wanted = world.events.filter(
      (event) =>
        event.scopeId === scopeId &&
        (input.kind === undefined || event.type.startsWith(`${input.kind}.`)) &&
        (input.subjectId === undefined || event.subjectId === input.subjectId) &&
        (input.agentId === undefined || [event.subjectId, ...Object.values(event.attributes)].includes(input.agentId)),
    );
    const { items, ...more } = pageBefore(wanted.reverse(), ({ id }) => id, input);
    return { events: items, ...more };
  },
  storageSummary(world, _input, scopeId) {
    const count = (
      recordType: "message" | "task" | "escalation" | "event",
      state: string,
      list: readonly unknown[],
    ) => ({
      recordType,
      state,
      count: list.length,
      estimatedBytes: list.length * 640,
    });
    const records = [
      count(
        "message",
        "acknowledged",
        world.messages.filter((one) => one.scopeId === scopeId),
      ),
      count(
        "task",
        "done",
        [...world.tasks.values()].filter((one) => one.scopeId === scopeId),
      ),
      count(
        "escalation",
        "resolved",
        [...world.questions.values()].filter((one) => one.scopeId === scopeId),
      ),
      count(
        "event",
        "recorded",
        world.events.filter((one) => one.scopeId === scopeId),
      ),
    ];
    const totalEstimatedBytes = records.reduce((sum, { estimatedBytes }) => sum + estimatedBytes, 0);
    return { scopeId, generatedAt: new Date().toISOString(), totalEstimatedBytes, records };
  },
  pruneScope: (world, { before, execute = false }, scopeId) => ({
    scopeId,
    before,
    dryRun: !execute,
    records: {
      ...NOTHING_PRUNED,
      messages: world.messages.filter((one) => one.scopeId === scopeId && one.createdAt < before).length,
      events: world.events.filter((one) => one.scopeId === scopeId && one.createdAt < before).length,
    },
  }),
};
