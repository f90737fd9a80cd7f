export { checkA2aClient } from "./a2a-interface.ts";
export { type PublishedCard, publishedCard } from "./agent-card.ts";
export { answerInClient } from "./answers.ts";
export { type ExportRequest, exportArchive } from "./archive-export.ts";
export {
  type ArchiveKind,
  type ArchiveSource,
  findImported,
  type ImportOutcome,
  importArchive,
  type StagedRecord,
} from "./archive-import.ts";
export {
  type AnyBackgroundRead,
  type BackgroundChunk,
  type BackgroundInput,
  type BackgroundReadName,
  type BackgroundResult,
  backgroundReads,
} from "./background.ts";
export {
  type AdminCaller,
  type AgentCaller,
  authenticate,
  type Caller,
  type CallerFor,
  type ConnectorCaller,
  type Credentials,
  type OwnerCaller,
  requireAdmin,
  requireOwner,
} from "./caller.ts";
export { type Context, channels, type OutsideSettings } from "./context.ts";
export { tokenHash } from "./encoding.ts";
export { eventSequenceBounds, eventsOfAllScopes, type SequencedEvent } from "./events.ts";
export { shiftLeases } from "./executions.ts";
export { type CoreOperation, handlers } from "./handlers.ts";
export { type KeyedCaller, once, type Replay } from "./idempotency.ts";
export { isSessionEnded, recordEndedSession } from "./mcp-sessions.ts";
export { overview } from "./overview.ts";
export type { IdSource, SqlValue, Transaction } from "./ports.ts";
export { beginRetention, removeEvents, removeRows } from "./retention.ts";
export { noRetentionCounts, type PlannedKind, type RetentionPlan, type RetentionQuery } from "./retention-plan.ts";
export { settle } from "./settle.ts";
export { storedSecret } from "./stored-secret.ts";
export {
  currentSession,
  endOwnSession,
  issueSignInCode,
  SESSION_COOKIE_PREFIX,
  type SessionSecrets,
  sessionCookieName,
  startSession,
  touchSession,
} from "./ui-sessions.ts";
