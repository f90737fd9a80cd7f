import { HUMAN_PARTY, type OperationName } from "../../../protocol/index.ts";
import { connectorOf } from "./connectors.ts";
import { a2aMessage, published } from "./outside.ts";
import type { Party } from "./party.ts";
import type { OwnerParty, Stage } from "./stage.ts";

/** A call that may be repeated. */
export interface NaturalCase {
  /** Owner of the scope whose revision must stand still; absent when the scope is gone. */
  readonly owner?: OwnerParty;
  readonly caller: Party;
  readonly input: object;
  /** What the repeated call answers; the same as the first one unless given. */
  readonly again?: unknown;
  /** Saying the same once more is an event here. */
  readonly leavesEvents?: boolean;
}

/** Agents with a message that ben has received. */
async function delivered(stage: Stage) {
  const team = await stage.team();
  const messageId = await team.ada.tell(team.ben);
  await team.ben.pull();
  return { ...team, messageId };
}

async function reader(stage: Stage) {
  const owner = await stage.scope();
  const { id: streamId } = await owner.call("createOutputStream", { name: "status" });
  const input = { streamId, label: "Reader", permissions: ["read" as const] };
  return { owner, principalId: (await owner.call("createOutputPrincipal", input)).principal.id };
}

/** A scope with a task that is done, and an instant after that. */
async function finished(stage: Stage) {
  const { owner, ada } = await stage.team();
  await ada.call("completeTask", { taskId: await ada.claimed() });
  const { generatedAt } = await owner.call("storageSummary", {});
  return { owner, before: new Date(Date.parse(generatedAt) + 60_000).toISOString() };
}

/** For each operation whose repetition changes nothing. */
export const naturalCases: Partial<Record<OperationName, (stage: Stage) => Promise<NaturalCase>>> = {
  deleteScope: async (stage) => {
    const { scopeId } = await stage.scope();
    return { caller: stage.admin, input: { scopeId, confirmScopeId: scopeId }, again: { deleted: false } };
  },
  // Only browsers have sessions, so it ends none.
  endUiSession: async (stage) => {
    return { caller: stage.admin, input: { sessionId: "no-such-session" }, again: { ended: false } };
  },
  updateScope: async (stage) => {
    const owner = await stage.scope();
    return { owner, caller: owner, input: { linkPolicy: "open" } };
  },
  removeAgent: async (stage) => {
    const { owner, ben } = await stage.team();
    return { owner, caller: owner, input: { agentId: ben.id }, again: { removed: false } };
  },
  heartbeat: async (stage) => {
    const { owner, ada } = await stage.team();
    const again = { id: ada.id, lifecycle: "working", ready: true };
    return { owner, caller: ada, input: { lifecycle: "working", ready: true }, again };
  },
  updateProfile: async (stage) => {
    const { owner, ada } = await stage.team();
    const again = { id: ada.id, displayName: "Ada" };
    return { owner, caller: ada, input: { displayName: "Ada" }, again, leavesEvents: true };
  },
  retire: async (stage) => {
    const { owner, ada } = await stage.team();
    return { owner, caller: ada, input: {} };
  },
  revokeConnector: async (stage) => {
    const owner = await stage.scope();
    const { connectorId } = await connectorOf(owner);
    return { owner, caller: owner, input: { connectorId }, again: { revoked: false } };
  },
  linkAgents: async (stage) => {
    const owner = await stage.scope();
    const [ada, ben] = [await owner.agent("ada"), await owner.agent("ben")];
    return { owner, caller: owner, input: { left: ada.id, right: ben.id } };
  },
  unlinkAgents: async (stage) => {
    const { owner, ada, ben } = await stage.team();
    return { owner, caller: owner, input: { left: ada.id, right: ben.id }, again: { unlinked: false } };
  },
  requestLink: async (stage) => {
    const owner = await stage.scope();
    const [ada, ben] = [await owner.agent("ada"), await owner.agent("ben")];
    return { owner, caller: ada, input: { to: ben.id } };
  },
  acknowledgeMessages: async (stage) => {
    const { owner, ben, messageId } = await delivered(stage);
    return { owner, caller: ben, input: { messageIds: [messageId] }, again: { acknowledged: 0 } };
  },
  deferMessages: async (stage) => {
    const { owner, ben, messageId } = await delivered(stage);
    return { owner, caller: ben, input: { messageIds: [messageId], delayMs: 60_000 }, leavesEvents: true };
  },
  deadLetterMessage: async (stage) => {
    const { owner, ben, messageId } = await delivered(stage);
    return { owner, caller: ben, input: { messageId, reason: "Cannot be read" } };
  },
  takeResponse: async (stage) => {
    const { owner, ada, ben } = await stage.team();
    const messageId = await ada.tell(ben, { mode: "request" });
    await ben.pull();
    await ben.tell(ada, { mode: "response", responseTo: messageId });
    return { owner, caller: ada, input: { messageId } };
  },
  acknowledgeHumanMessages: async (stage) => {
    const { owner, ada } = await stage.team();
    const { messageId } = await ada.call("sendMessage", { to: HUMAN_PARTY, toKind: "human", body: "Hello." });
    return { owner, caller: owner, input: { messageIds: [messageId] }, again: { acknowledged: 0 } };
  },
  recordEscalationNotice: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: escalationId } = await ada.call("askHuman", { question: "Why?" });
    const input = { escalationId, surface: "tray", verdict: "shown" };
    return { owner, caller: owner, input, again: { recorded: false } };
  },
  releaseInbox: async (stage) => {
    const { owner, ada, ben } = await stage.team();
    await ada.tell(ben);
    const reserved = await ben.call("reserveInbox", {});
    return { owner, caller: ben, input: { reservationId: reserved?.id ?? "nothing" } };
  },
  updateTask: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: taskId } = await ada.call("addTask", { title: "First" });
    const again = { id: taskId, title: "Second" };
    return { owner, caller: ada, input: { taskId, title: "Second" }, again, leavesEvents: true };
  },
  editTaskDependencies: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: first } = await ada.call("addTask", { title: "First" });
    const { id: taskId } = await ada.call("addTask", { title: "Second" });
    return { owner, caller: ada, input: { taskId, add: [first] } };
  },
  addOutputPublisher: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: streamId } = await owner.call("createOutputStream", { name: "status" });
    return { owner, caller: owner, input: { streamId, agentId: ada.id } };
  },
  removeOutputPublisher: async (stage) => {
    const { owner, ada } = await stage.team();
    const { id: streamId } = await owner.call("createOutputStream", { name: "status", publisherAgentIds: [ada.id] });
    return { owner, caller: owner, input: { streamId, agentId: ada.id } };
  },
  enableOutputPrincipal: async (stage) => {
    const { owner, principalId } = await reader(stage);
    await owner.call("disableOutputPrincipal", { principalId });
    return { owner, caller: owner, input: { principalId } };
  },
  disableOutputPrincipal: async (stage) => {
    const { owner, principalId } = await reader(stage);
    return { owner, caller: owner, input: { principalId } };
  },
  enableAgentCardPublication: async (stage) => {
    const { owner, publicationId } = await published(stage);
    await owner.call("disableAgentCardPublication", { publicationId });
    return { owner, caller: owner, input: { publicationId } };
  },
  disableAgentCardPublication: async (stage) => {
    const { owner, publicationId } = await published(stage);
    return { owner, caller: owner, input: { publicationId } };
  },
  enableA2aPrincipal: async (stage) => {
    const { owner, principalId } = await published(stage);
    await owner.call("disableA2aPrincipal", { principalId });
    return { owner, caller: owner, input: { principalId } };
  },
  disableA2aPrincipal: async (stage) => {
    const { owner, principalId } = await published(stage);
    return { owner, caller: owner, input: { principalId } };
  },
  sendA2aMessage: async (stage) => {
    const { owner, publicationId, partner } = await published(stage);
    return { owner, caller: partner, input: { publicationId, message: a2aMessage("message-1", "Hello.") } };
  },
  pruneScope: async (stage) => {
    const { owner, before } = await finished(stage);
    const again = { dryRun: false, records: { messages: 0, tasks: 0, escalations: 0 } };
    return { owner, caller: owner, input: { before, execute: true }, again, leavesEvents: true };
  },
  importScope: async (stage) => {
    const archive = await stage.archive();
    return { caller: stage.admin, input: archive, again: { scopeId: archive.scope.id, imported: false } };
  },
};
