import type { OperationName } from "../operations/index.ts";

/**
 * What a window may have done in the name of the human. Nothing here gives out a credential, ends the daemon or deletes a
 * scope: a page that was taken over can do no more than the human could do by clicking.
 */
export const UI_OPERATIONS = [
  "health",
  "overview",
  "createScope",
  "getScope",
  "updateScope",
  "listAgentsPage",
  "getAgent",
  "removeAgent",
  "linkAgents",
  "unlinkAgents",
  "listLinks",
  "listLinkRequests",
  "resolveLinkRequest",
  "sendHumanMessage",
  "listConversations",
  "listMessages",
  "getMessage",
  "acknowledgeHumanMessages",
  "requeueMessage",
  "addTask",
  "listTasksPage",
  "getTask",
  "updateTask",
  "editTaskDependencies",
  "cancelTask",
  "listTaskProgress",
  "getScopeEscalation",
  "listEscalationsPage",
  "listEscalationHistory",
  "resolveEscalation",
  "withdrawAnswer",
  "deferEscalation",
  "recordEscalationNotice",
  "listEvents",
  "listEventsPage",
  "listConnectors",
  "revokeConnector",
  "storageSummary",
  "pruneScope",
] as const satisfies readonly OperationName[];

export type UiOperation = (typeof UI_OPERATIONS)[number];
