import type {
  Agent,
  Escalation,
  Health,
  Message,
  MessageState,
  OperationName,
  OperationResult,
  PartyKind,
  Receipt,
  RetentionCounts,
  ScopeSummary,
  Task,
} from "../../protocol/index.ts";
import { OCTOBER_BUS } from "./identity.ts";

/** Makes the object a client gets: the fields named, some of them with other values. `undefined` leaves a field out. */
function shape<T extends object>(
  fields: readonly (keyof T & string)[],
  changes: { readonly [K in keyof T]?: (value: T[K], whole: T) => unknown } = {},
): (whole: T) => Record<string, unknown> {
  return (whole) => {
    const result: Record<string, unknown> = {};
    for (const field of fields) {
      const change = changes[field];
      const value = change ? change(whole[field], whole) : whole[field];
      if (value !== undefined) result[field] = value;
    }
    return result;
  };
}

const each =
  <T>(project: (item: T) => unknown) =>
  (items: readonly T[]) =>
    items.map(project);

/** Everybody who is no A2A client counts as an agent. */
const partyKind = (kind: PartyKind) => (kind === "a2aPrincipal" ? kind : "agent");

/** Of a message that was set aside its sender hears what it hears of one that came too late: nobody will deal with it. */
const messageState = (state: MessageState) => (state === "dead_lettered" ? "expired" : state);

const agent = shape<Agent>([
  "id",
  "displayName",
  "capabilities",
  "lifecycle",
  "ready",
  "reachable",
  "executionId",
  "registeredAt",
  "updatedAt",
]);

const message = shape<Message>(
  [
    ...(["id", "scopeId", "from", "fromKind", "to", "toKind", "mode", "body", "context", "responseTo"] as const),
    ...([
      "state",
      "createdAt",
      "expiresAt",
      "deliveredAt",
      "acknowledgedAt",
      "repliedAt",
      "responseMessageId",
    ] as const),
  ],
  { fromKind: partyKind, toKind: partyKind, state: messageState },
);

const receipt = shape<Receipt>(
  ["messageId", "state", "acceptedAt", "deliveredAt", "acknowledgedAt", "repliedAt", "responseMessageId"],
  { state: messageState },
);

/**
 * A task that was called off is one that is never ready: nobody can claim it, and nobody takes it for done. Only a task
 * that is claimed or done says by whom.
 */
const task = shape<Task>(
  [
    ...([
      "id",
      "scopeId",
      "title",
      "description",
      "createdBy",
      "claimedBy",
      "status",
      "dependencies",
      "ready",
    ] as const),
    ...(["recentProgress", "note", "createdAt", "updatedAt"] as const),
  ],
  {
    status: (status) => (status === "cancelled" ? "open" : status),
    claimedBy: (claimedBy, { status }) => (status === "cancelled" ? undefined : claimedBy),
  },
);

/**
 * An expired question may still be answered, so it is pending. One that was taken back wants no answer any more: it is
 * resolved, without one.
 */
const escalation = shape<Escalation>(
  ["id", "scopeId", "agentId", "question", "options", "status", "answer", "createdAt", "resolvedAt"],
  {
    status: (status) =>
      ({ pending: "pending", expired: "pending", resolved: "resolved", cancelled: "resolved" })[status],
    resolvedAt: (resolvedAt, { cancelledAt }) => resolvedAt ?? cancelledAt,
  },
);

const health = shape<Health>(
  ["name", "protocolVersion", "runtimeVersion", "features", "status", "startedAt", "storage"],
  {
    name: () => OCTOBER_BUS.name,
    protocolVersion: () => OCTOBER_BUS.protocolVersion,
    features: () => OCTOBER_BUS.features,
  },
);

const retentionCounts = shape<RetentionCounts>([
  "messages",
  "tasks",
  "taskProgress",
  "escalations",
  "events",
  "a2aTasks",
  "a2aMessages",
]);

/** Operations of 0.1 whose results have grown since. All others pass as they are. */
const projections: { readonly [N in OperationName]?: (result: OperationResult<N>) => unknown } = {
  health,
  liveness: (result) => ({ ...result, name: OCTOBER_BUS.name }),
  listScopes: each(shape<ScopeSummary>(["scopeId", "createdAt"])),
  listAgents: each(agent),
  listPeers: each(agent),
  heartbeat: agent,
  whoAmI: (result) => ({ ...result, agent: agent(result.agent) }),
  sendMessage: receipt,
  getReceipt: receipt,
  reserveInbox: (result) => result && { ...result, messages: result.messages.map(message) },
  commitInbox: each(message),
  addTask: task,
  listTasks: each(task),
  listTasksPage: (result) => ({ ...result, tasks: result.tasks.map(task) }),
  claimTask: task,
  releaseTask: task,
  completeTask: task,
  askHuman: escalation,
  getEscalation: escalation,
  listEscalations: each(escalation),
  resolveEscalation: escalation,
  pruneScope: (result) => ({ ...result, records: retentionCounts(result.records) }),
};

/** What a client of 0.1 gets of an operation's result. */
export function project(name: OperationName, result: unknown): unknown {
  const projection = projections[name] as ((result: unknown) => unknown) | undefined;
  return projection ? projection(result) : result;
}
