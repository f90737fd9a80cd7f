/**
 * The contract of Agent Intercom: operations, objects, limits, error codes and id rules. Everything else derives from it.
 *
 * Terms: a **scope** is a boundary of collaboration. An **agent** has a stable id in a scope and at most one current
 * **execution**, which holds a **lease** and a token. Agents are peers through **links** or an open scope. A **message**
 * is reserved, delivered and acknowledged; its **receipt** tells the sender how far it came. A **task** is claimed by one
 * execution. An **escalation** is a question to the human. **Events** record every change.
 */
export * from "./errors.ts";
export {
  ACTOR_ATTRIBUTE,
  concernsAgent,
  EVENT_ATTRIBUTES,
  EVENT_KINDS,
  EVENT_TYPES,
  type EventDefinition,
  type EventKind,
  type EventType,
  eventDefinitionOf,
  kindOf,
} from "./events/index.ts";
export { ID_PREFIXES, IDENTIFIER_PATTERN, type IdKind, toIdentifier } from "./ids.ts";
export { LIMITS } from "./limits.ts";
export * from "./objects/a2a.ts";
export * from "./objects/agent.ts";
export * from "./objects/archive.ts";
export * from "./objects/connector.ts";
export * from "./objects/daemon.ts";
export * from "./objects/escalation.ts";
export * from "./objects/event.ts";
export * from "./objects/message.ts";
export * from "./objects/output.ts";
export * from "./objects/scope.ts";
export * from "./objects/storage.ts";
export * from "./objects/task.ts";
export * from "./objects/ui.ts";
export {
  type Authority,
  type CountedCaller,
  commonErrors,
  type Idempotency,
  inputPlacement,
  type Method,
  type Operation,
  pathParameters,
} from "./operation.ts";
export {
  type OperationInput,
  type OperationName,
  type OperationResult,
  type Operations,
  operationNames,
  operationOf,
  operations,
  type ParsedInput,
} from "./operations/index.ts";
export { type InputIssue, parseInput } from "./parse.ts";
export { utf8Length } from "./text.ts";
export * from "./version.ts";
