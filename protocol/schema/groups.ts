import type { Operation } from "../operation.ts";
import { a2aOperations } from "../operations/a2a.ts";
import { agentOperations } from "../operations/agents.ts";
import { archiveOperations } from "../operations/archives.ts";
import { connectorOperations } from "../operations/connectors.ts";
import { daemonOperations } from "../operations/daemon.ts";
import { escalationOperations } from "../operations/escalations.ts";
import { eventOperations } from "../operations/events.ts";
import { type OperationName, operationOf } from "../operations/index.ts";
import { linkOperations } from "../operations/links.ts";
import { messageOperations } from "../operations/messages.ts";
import { outputOperations } from "../operations/outputs.ts";
import { scopeOperations } from "../operations/scopes.ts";
import { storageOperations } from "../operations/storage.ts";
import { taskOperations } from "../operations/tasks.ts";
import { uiOperations } from "../operations/ui.ts";

/** Operations on one noun, as a chapter of the documents. */
export interface Group {
  readonly tag: string;
  readonly about: string;
  readonly operations: readonly { readonly name: OperationName; readonly op: Operation }[];
}

function group(tag: string, about: string, table: Record<string, unknown>): Group {
  const names = Object.keys(table) as OperationName[];
  return { tag, about, operations: names.map((name) => ({ name, op: operationOf(name) })) };
}

/** The whole table in chapters, in the order of the table. */
export const groups: readonly Group[] = [
  group("Daemon", "Health, and what only the admin credential may do to the daemon as a whole.", daemonOperations),
  group("Scopes", "Boundaries of collaboration, each with its token.", scopeOperations),
  group("Agents", "Agents, their executions, presence and peers.", agentOperations),
  group("Connectors", "Credentials with which clients of MCP become agents by themselves.", connectorOperations),
  group("Links", "Who may message whom.", linkOperations),
  group("Messages", "Durable messages, their receipts and the inbox.", messageOperations),
  group("Tasks", "Work shared by a scope.", taskOperations),
  group("Escalations", "Questions only a human may answer.", escalationOperations),
  group("Events", "The history of a scope.", eventOperations),
  group("Outputs", "Streams of values for readers outside the scope.", outputOperations),
  group("A2A", "Agents made known to A2A 1.0 clients outside the scope.", a2aOperations),
  group("Storage", "How much a scope holds, and what of it may go.", storageOperations),
  group("Archives", "Moving a scope, and copying everything.", archiveOperations),
  group("Browsers", "Who uses the user interface in a browser: [how that works](authority.md#browsers).", uiOperations),
];
