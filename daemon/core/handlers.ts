import type { OperationName, OperationResult, Operations, ParsedInput } from "../../protocol/index.ts";
import * as a2aDoor from "./a2a-interface.ts";
import * as a2aPublications from "./a2a-publications.ts";
import * as agents from "./agents.ts";
import * as answers from "./answers.ts";
import type { CallerFor } from "./caller.ts";
import * as connect from "./connect.ts";
import * as connectors from "./connectors.ts";
import { type Context, channels } from "./context.ts";
import * as conversationList from "./conversation-list.ts";
import * as deferrals from "./deferrals.ts";
import * as escalationHistory from "./escalation-history.ts";
import * as escalations from "./escalations.ts";
import * as eventHistory from "./event-history.ts";
import * as events from "./events.ts";
import * as history from "./history.ts";
import type { Replay } from "./idempotency.ts";
import * as inbox from "./inbox.ts";
import * as linkRequests from "./link-requests.ts";
import * as links from "./links.ts";
import * as messageFate from "./message-fate.ts";
import * as messages from "./messages.ts";
import * as outputStreams from "./output-streams.ts";
import * as outputValues from "./output-values.ts";
import * as presence from "./presence.ts";
import * as receipts from "./receipts.ts";
import * as responses from "./responses.ts";
import * as scopes from "./scopes.ts";
import * as taskWork from "./task-work.ts";
import * as tasks from "./tasks.ts";
import * as uiSessions from "./ui-sessions.ts";
import * as withdrawals from "./withdrawals.ts";

/** Operations that need the running daemon rather than its data. */
export type DaemonOperation =
  | "health"
  | "liveness"
  | "shutdown"
  | "overview"
  | "watchAllEvents"
  | "storageSummary"
  | "pruneScope"
  | "exportScope"
  | "importScope"
  | "backup"
  | "createSignInLink";
export type CoreOperation = Exclude<OperationName, DaemonOperation>;

type CallerOf<N extends OperationName> = CallerFor<Operations[N]["authority"]>;

/** How an operation stays open while there is nothing to say. */
export interface Waiting<N extends OperationName> {
  /** What wakes the call. */
  channel(caller: CallerOf<N>, input: ParsedInput<N>): string;
  /** True while the result is not worth answering with. `first` is what the call found when it came. */
  pending(result: OperationResult<N>, first: OperationResult<N>): boolean;
  /** Undoes a result whose caller hung up before it could be told. */
  abandon?(ctx: Context, caller: CallerOf<N>, result: OperationResult<N>): Promise<unknown>;
}

export interface Handler<N extends OperationName> {
  /** `read` runs on a snapshot and can change nothing, unless it finds that it has to. */
  readonly access: "read" | "write";
  readonly run: (ctx: Context, caller: CallerOf<N>, input: ParsedInput<N>) => Promise<OperationResult<N>>;
  readonly waiting?: Waiting<N>;
  readonly replay?: Replay<OperationResult<N>>;
}

type Run<N extends OperationName> = Handler<N>["run"];

function read<N extends OperationName>(run: Run<N>, waiting?: Waiting<N>): Handler<N> {
  return { access: "read", run, ...(waiting ? { waiting } : {}) };
}

function write<N extends OperationName>(run: Run<N>, waiting?: Waiting<N>): Handler<N> {
  return { access: "write", run, ...(waiting ? { waiting } : {}) };
}

/** The function behind each entry of the operation table. */
export const handlers: { readonly [N in CoreOperation]: Handler<N> } = {
  createScope: write(scopes.createScope),
  listScopes: read(scopes.listScopes),
  rotateScopeToken: write(scopes.rotateScopeToken),
  deleteScope: write(scopes.deleteScope),
  getScope: read(scopes.getScope),
  updateScope: write(scopes.updateScope),

  registerAgent: write(presence.registerAgent),
  heartbeat: write(presence.heartbeat),
  retire: write(presence.retire),
  listAgents: read(agents.listAgents),
  listAgentsPage: read(agents.listAgentsPage),
  getAgent: read(agents.getAgent),
  removeAgent: write(agents.removeAgent),
  whoAmI: read(agents.whoAmI),
  updateProfile: write(agents.updateProfile),
  listPeers: read(agents.listPeers),

  createConnector: write(connectors.createConnector),
  listConnectors: read(connectors.listConnectors),
  rotateConnector: write(connectors.rotateConnector),
  revokeConnector: write(connectors.revokeConnector),
  connect: write(connect.connect),

  linkAgents: write(links.linkAgents),
  unlinkAgents: write(links.unlinkAgents),
  listLinks: read(links.listLinks),
  requestLink: write(linkRequests.requestLink),
  listLinkRequests: read(linkRequests.listLinkRequests),
  resolveLinkRequest: write(linkRequests.resolveLinkRequest),

  sendMessage: write(messages.sendMessage),
  sendHumanMessage: write(messages.sendHumanMessage),
  getReceipt: read(receipts.getReceipt),
  acknowledgeMessages: write(messageFate.acknowledgeMessages),
  acknowledgeHumanMessages: write(messageFate.acknowledgeHumanMessages),
  deferMessages: write(messageFate.deferMessages),
  deadLetterMessage: write(messageFate.deadLetterMessage),
  requeueMessage: write(messageFate.requeueMessage),
  getMessage: read(messageFate.getMessage),
  listMessages: read(history.listMessages),
  listConversations: read(conversationList.listConversations),
  listMyMessages: read(history.listMyMessages),
  getMyMessage: read(history.getMyMessage),
  listMyRequests: read(history.listMyRequests),
  takeResponse: write(responses.takeResponse, {
    channel: (caller) => channels.inbox(caller.agentNo),
    pending: (result) => result === null,
  }),
  reserveInbox: write(inbox.reserveInbox, {
    channel: (caller) => channels.inbox(caller.agentNo),
    pending: (result) => result === null,
    abandon: async (ctx, caller, result) => result && inbox.releaseInbox(ctx, caller, { reservationId: result.id }),
  }),
  commitInbox: write(inbox.commitInbox),
  releaseInbox: write(inbox.releaseInbox),

  addTask: write(tasks.addTask),
  getTask: read(tasks.getTask),
  listTasks: read(tasks.listTasks),
  listTasksPage: read(tasks.listTasksPage),
  updateTask: write(tasks.updateTask),
  editTaskDependencies: write(tasks.editTaskDependencies),
  cancelTask: write(tasks.cancelTask),
  claimTask: write(taskWork.claimTask),
  claimNextTask: write(taskWork.claimNextTask, {
    channel: (caller) => channels.tasks(caller.scope.no),
    pending: (result) => result === null,
    abandon: async (ctx, caller, result) => result && taskWork.releaseTask(ctx, caller, { taskId: result.id }),
  }),
  releaseTask: write(taskWork.releaseTask),
  completeTask: write(taskWork.completeTask),
  addTaskProgress: write(taskWork.addTaskProgress),
  listTaskProgress: read(taskWork.listTaskProgress),

  askHuman: write(escalations.askHuman),
  getEscalation: read(escalations.getEscalation, {
    channel: (_caller, input) => channels.escalation(input.escalationId),
    // A deferral ends the waits it finds, once: whoever comes later knows of it.
    pending: (result, first) => result.status === "pending" && result.deferredUntil === first.deferredUntil,
  }),
  cancelEscalation: write(escalations.cancelEscalation),
  listMyEscalations: read(escalations.listMyEscalations),
  listEscalations: read(escalations.listEscalations),
  listEscalationsPage: read(escalations.listEscalationsPage),
  getScopeEscalation: read(escalations.getScopeEscalation),
  listEscalationHistory: read(escalationHistory.listEscalationHistory),
  resolveEscalation: write(answers.resolveEscalation),
  deferEscalation: write(deferrals.deferEscalation),
  withdrawAnswer: write(withdrawals.withdrawAnswer),
  recordEscalationNotice: write(escalationHistory.recordEscalationNotice),

  listEvents: read(events.listEvents, {
    channel: (caller) => channels.scopeEvents(caller.scope.no),
    pending: (result) => result.events.length === 0 && !result.resyncRequired,
  }),
  listEventsPage: read(eventHistory.listEventsPage),

  createOutputStream: write(outputStreams.createOutputStream),
  listOutputStreams: read(outputStreams.listOutputStreams),
  getOutputStream: read(outputStreams.getOutputStream),
  removeOutputStream: write(outputStreams.removeOutputStream),
  addOutputPublisher: write(outputStreams.addOutputPublisher),
  removeOutputPublisher: write(outputStreams.removeOutputPublisher),
  createOutputPrincipal: write(outputStreams.createOutputPrincipal),
  listOutputPrincipals: read(outputStreams.listOutputPrincipals),
  rotateOutputPrincipal: write(outputStreams.rotateOutputPrincipal),
  enableOutputPrincipal: write(outputStreams.enableOutputPrincipal),
  disableOutputPrincipal: write(outputStreams.disableOutputPrincipal),
  publishOutput: { ...write(outputValues.publishOutput), replay: outputValues.publishReplay },
  latestOutput: read(outputValues.latestOutput),
  listOutputValues: read(outputValues.listOutputValues, {
    channel: (_caller, input) => channels.output(input.streamId),
    pending: (result) => result.values.length === 0 && !result.resyncRequired,
  }),

  publishAgentCard: write(a2aPublications.publishAgentCard),
  listAgentCardPublications: read(a2aPublications.listAgentCardPublications),
  enableAgentCardPublication: write(a2aPublications.enableAgentCardPublication),
  disableAgentCardPublication: write(a2aPublications.disableAgentCardPublication),
  createA2aPrincipal: write(a2aPublications.createA2aPrincipal),
  listA2aPrincipals: read(a2aPublications.listA2aPrincipals),
  listA2aPrincipalUsage: read(a2aPublications.listA2aPrincipalUsage),
  rotateA2aPrincipal: write(a2aPublications.rotateA2aPrincipal),
  enableA2aPrincipal: write(a2aPublications.enableA2aPrincipal),
  disableA2aPrincipal: write(a2aPublications.disableA2aPrincipal),
  getAgentCard: read(a2aDoor.getAgentCard),
  sendA2aMessage: write(a2aDoor.sendA2aMessage),
  getA2aTask: read(a2aDoor.getA2aTask),

  listUiSessions: read(uiSessions.listUiSessions),
  endUiSession: write(uiSessions.endUiSession),
};
