/**
 * The SDK of Agent Intercom. It runs in Node and in browsers and needs nothing but web standards.
 *
 * {@link AgentSession} is what an agent uses. {@link AgentClient}, {@link ScopeClient}, {@link AdminClient} and
 * {@link ConnectorClient} have one method per operation; {@link OutputClient} is for those outside a scope who hold a
 * credential of an output stream. Every failure is an {@link IntercomError}: branch on its `code`, and for `INTERNAL` on
 * {@link failureReason}. Durations are milliseconds, instants RFC 3339 in UTC.
 */
export {
  type Agent,
  type AgentMetadata,
  type Capability,
  type Connection,
  type Connector,
  type ContextItem,
  DEFAULT_PORT,
  type ErrorCode,
  type ErrorDetails,
  type ErrorValue,
  type Escalation,
  type EscalationStatus,
  type Event,
  type EventPage,
  type EventType,
  type Health,
  HUMAN_PARTY,
  IntercomError,
  type IssuedConnector,
  isIntercomError,
  LIMITS,
  type Lifecycle,
  type Link,
  type LinkPolicy,
  type LinkRequest,
  type Liveness,
  type Message,
  type MessageMode,
  type MessageState,
  type MessageSubject,
  type NodeStatus,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type OutputContentType,
  type OutputHistory,
  type OutputPermission,
  type OutputPrincipal,
  type OutputReference,
  type OutputStream,
  type OutputValue,
  type Overview,
  type PartyKind,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
  type Receipt,
  type Registration,
  type Reservation,
  type ScopeCredential,
  type ScopeSummary,
  SYSTEM_PARTY,
  type Task,
  type TaskPriority,
  type TaskProgress,
  type TaskStatus,
  type ToolSetName,
} from "../protocol/index.ts";
export {
  AdminClient,
  type AdminClientOptions,
  AgentClient,
  type AgentClientOptions,
  ConnectorClient,
  type ConnectorClientOptions,
  ScopeClient,
  type ScopeClientOptions,
} from "./clients.ts";
export type { FollowAllOptions, FollowedEvent, FollowOptions } from "./event-stream.ts";
export { type FailureReason, failureReason } from "./failure.ts";
export type { OperationMethod, OperationMethods } from "./methods.ts";
export { OutputClient, type OutputClientOptions } from "./output-client.ts";
export type { FollowedOutput, FollowOutputOptions } from "./output-stream.ts";
export type { AskOptions } from "./session/asks.ts";
export type { Delivery, MessageHandler, ReplyOptions } from "./session/delivery.ts";
export type { AskHumanOptions } from "./session/human-questions.ts";
export type { InboxReader } from "./session/inbox.ts";
export type { InboxOptions } from "./session/inbox-loop.ts";
export type { AgentState, ConnectOptions, SessionBehaviour, SessionOptions, SessionState } from "./session/options.ts";
export type { TaskOptions, TaskRunner, TaskWork } from "./session/tasks.ts";
export { AgentSession } from "./session.ts";
export type { Timers } from "./timers.ts";
export type { Archive } from "./transfer.ts";
export type { CallOptions, ConnectionOptions, Fetch, TransferOptions } from "./transport.ts";
