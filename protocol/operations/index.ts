import type { z } from "zod";
import type { Operation } from "../operation.ts";
import { a2aOperations } from "./a2a.ts";
import { agentOperations } from "./agents.ts";
import { archiveOperations } from "./archives.ts";
import { connectorOperations } from "./connectors.ts";
import { daemonOperations } from "./daemon.ts";
import { escalationOperations } from "./escalations.ts";
import { eventOperations } from "./events.ts";
import { linkOperations } from "./links.ts";
import { messageOperations } from "./messages.ts";
import { outputOperations } from "./outputs.ts";
import { scopeOperations } from "./scopes.ts";
import { storageOperations } from "./storage.ts";
import { taskOperations } from "./tasks.ts";
import { uiOperations } from "./ui.ts";

/**
 * The operation table: every door (HTTP, SDK, MCP, command line) and every generated document derives from it.
 * To add an operation, add an entry here and the function of the same name in the daemon's core.
 */
export const operations = {
  ...daemonOperations,
  ...scopeOperations,
  ...agentOperations,
  ...connectorOperations,
  ...linkOperations,
  ...messageOperations,
  ...taskOperations,
  ...escalationOperations,
  ...eventOperations,
  ...outputOperations,
  ...a2aOperations,
  ...storageOperations,
  ...archiveOperations,
  ...uiOperations,
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** What a caller passes, before defaults. */
export type OperationInput<N extends OperationName> = z.input<Operations[N]["input"]>;
/** What the core receives, after parsing. */
export type ParsedInput<N extends OperationName> = z.output<Operations[N]["input"]>;
export type OperationResult<N extends OperationName> = z.output<Operations[N]["result"]>;

export const operationNames = Object.keys(operations) as readonly OperationName[];

/** The table entry of an operation in its general form. */
export function operationOf(name: OperationName): Operation {
  return operations[name] as unknown as Operation;
}
