import { z } from "zod";
import { flag, integer, oneOf } from "../fields.ts";
import { anyInstant, identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { text } from "../text.ts";
import { A2A_TASK_STATES } from "./a2a.ts";
import { agentMetadata, capabilities } from "./agent.ts";
import { answerSource, answerSurface, escalationKind, escalationStatus, escalationUrgency } from "./escalation.ts";
import { context, MESSAGE_MODES, MESSAGE_STATES, messageSubject, PARTY_KINDS } from "./message.ts";
import { outputContent, outputContentType, outputReference } from "./output.ts";
import { linkPolicy, linkRequestStatus } from "./scope.ts";
import { progressKind, taskPriority } from "./task.ts";

/**
 * The portable archive of one scope: format `october-bus.scope`, version 2. What that format cannot express travels in
 * `extensions`, which a reader that does not know it must not be given.
 * Source: https://github.com/october-dev/october-bus, spec/0.1/archives.md
 */
export const ARCHIVE_FORMAT = "october-bus.scope";
export const ARCHIVE_VERSION = 2;

/** Largest number a store keeps exactly. */
const sequence = integer(1, Number.MAX_SAFE_INTEGER);
const optionalText = (maxBytes: number) => text(maxBytes, 0).optional();
const list = <T extends z.ZodType>(item: T) => z.array(item, { error: "expected a list" });

const archivedAgent = z.strictObject({
  id: identifier,
  displayName: text(LIMITS.displayNameBytes),
  capabilities,
  registeredAt: anyInstant,
  updatedAt: anyInstant,
});

const archivedLink = z.strictObject({ left: identifier, right: identifier, createdAt: anyInstant });

const messageFields = {
  id: identifier,
  from: identifier,
  to: identifier,
  mode: oneOf(MESSAGE_MODES),
  body: text(LIMITS.messageBodyBytes),
  context,
  responseTo: identifier.optional(),
  idempotencyKey: optionalText(LIMITS.idempotencyKeyBytes),
  createdAt: anyInstant,
  expiresAt: anyInstant.optional(),
  deliveredAt: anyInstant.optional(),
  acknowledgedAt: anyInstant.optional(),
  repliedAt: anyInstant.optional(),
  responseMessageId: identifier.optional(),
};

const archivedMessage = z.strictObject({
  ...messageFields,
  fromKind: oneOf(["agent", "a2aPrincipal"]),
  toKind: oneOf(["agent", "a2aPrincipal"]),
  state: oneOf(["queued", "delivered", "acknowledged", "expired"]),
});

const dependencies = list(identifier).max(LIMITS.taskDependencies, {
  error: `expected at most ${LIMITS.taskDependencies} dependencies`,
});

const taskFields = {
  id: identifier,
  title: text(LIMITS.taskTitleBytes),
  description: text(LIMITS.taskDescriptionBytes, 0),
  createdBy: identifier.nullable(),
  claimedBy: identifier.optional(),
  dependencies,
  note: optionalText(LIMITS.taskNoteBytes),
  createdAt: anyInstant,
  updatedAt: anyInstant,
};

const archivedTask = z.strictObject({ ...taskFields, status: oneOf(["open", "done"]) });

const archivedProgress = z.strictObject({
  taskId: identifier,
  sequence,
  agentId: identifier,
  kind: progressKind,
  text: text(LIMITS.progressTextBytes),
  createdAt: anyInstant,
});

const escalationFields = {
  id: identifier,
  agentId: identifier,
  question: text(LIMITS.questionBytes),
  options: list(text(LIMITS.escalationOptionBytes))
    .max(LIMITS.escalationOptionsMax, { error: `expected at most ${LIMITS.escalationOptionsMax} options` })
    .refine((options) => options.length !== 1, {
      error: `expected none or at least ${LIMITS.escalationOptionsMin} options`,
    }),
  answer: optionalText(LIMITS.answerBytes),
  createdAt: anyInstant,
  resolvedAt: anyInstant.optional(),
};

const archivedEscalation = z.strictObject({ ...escalationFields, status: oneOf(["pending", "resolved", "cancelled"]) });

const archivedPublication = z.strictObject({
  id: identifier,
  agentId: identifier,
  createdAt: anyInstant,
  updatedAt: anyInstant,
});

const archivedA2aTask = z.strictObject({
  id: identifier,
  contextId: identifier,
  principalId: identifier,
  publicationId: identifier,
  targetAgentId: identifier,
  state: oneOf(A2A_TASK_STATES),
  createdAt: anyInstant,
  updatedAt: anyInstant,
});

const archivedA2aMessage = z.strictObject({
  principalId: identifier,
  clientMessageId: identifier,
  taskId: identifier,
  busRequestMessageId: identifier,
  busResponseMessageId: identifier.optional(),
  createdAt: anyInstant,
  updatedAt: anyInstant,
});

const archivedOutputStream = z.strictObject({
  id: identifier,
  name: identifier,
  retentionLimit: integer(1, LIMITS.outputRetentionMax),
  currentSequence: integer(0, Number.MAX_SAFE_INTEGER),
  minimumCursor: integer(0, Number.MAX_SAFE_INTEGER),
  publisherAgentIds: list(identifier).max(LIMITS.outputPublishers, {
    error: `expected at most ${LIMITS.outputPublishers} agent ids`,
  }),
  createdAt: anyInstant,
  updatedAt: anyInstant,
});

const archivedOutputValue = z.strictObject({
  streamId: identifier,
  sequence,
  producerType: oneOf(["agent", "principal"]),
  producerId: identifier,
  contentType: outputContentType,
  value: outputContent,
  reference: outputReference.optional(),
  createdAt: anyInstant,
});

/** Records the format has no room for. One with the id of a record outside replaces it. */
const extendedRecords = {
  agents: archivedAgent.extend({
    summary: text(LIMITS.summaryBytes).optional(),
    metadata: agentMetadata.optional(),
    notices: flag,
    removedAt: anyInstant.optional(),
  }),
  messages: z.strictObject({
    ...messageFields,
    fromKind: oneOf(PARTY_KINDS),
    toKind: oneOf(PARTY_KINDS),
    state: oneOf(MESSAGE_STATES).exclude(["reserved"]),
    about: z.strictObject(messageSubject.shape).optional(),
    deliveryCount: integer(0, Number.MAX_SAFE_INTEGER),
    deadLetteredAt: anyInstant.optional(),
    deadLetterReason: optionalText(LIMITS.reasonBytes),
  }),
  tasks: z.strictObject({
    ...taskFields,
    status: oneOf(["open", "done", "cancelled"]),
    priority: taskPriority,
    requires: list(identifier).max(LIMITS.taskRequirements, {
      error: `expected at most ${LIMITS.taskRequirements} requirements`,
    }),
    cancelReason: optionalText(LIMITS.reasonBytes),
  }),
  taskProgress: archivedProgress,
  escalations: z.strictObject({
    ...escalationFields,
    status: escalationStatus,
    kind: escalationKind,
    urgency: escalationUrgency,
    context,
    resolvedBy: answerSource.optional(),
    surface: answerSurface.optional(),
    note: optionalText(LIMITS.answerBytes),
    late: flag.optional(),
    cancelReason: optionalText(LIMITS.reasonBytes),
    expiresAt: anyInstant.optional(),
    deferredUntil: anyInstant.optional(),
    expiredAt: anyInstant.optional(),
    cancelledAt: anyInstant.optional(),
    answerReadAt: anyInstant.optional(),
  }),
  linkRequests: z.strictObject({
    id: identifier,
    from: identifier,
    to: identifier,
    reason: optionalText(LIMITS.reasonBytes),
    status: linkRequestStatus,
    createdAt: anyInstant,
    resolvedAt: anyInstant.optional(),
  }),
};

/** What one record of each list looks like, for readers that take an archive apart as it comes. */
export const ARCHIVE_RECORDS = {
  agents: archivedAgent,
  links: archivedLink,
  messages: archivedMessage,
  tasks: archivedTask,
  taskProgress: archivedProgress,
  escalations: archivedEscalation,
  agentCardPublications: archivedPublication,
  a2aTasks: archivedA2aTask,
  a2aMessages: archivedA2aMessage,
  outputStreams: archivedOutputStream,
  outputValues: archivedOutputValue,
} as const;
export type ArchiveList = keyof typeof ARCHIVE_RECORDS;
export const ARCHIVE_LISTS = Object.keys(ARCHIVE_RECORDS) as readonly ArchiveList[];
export type ArchiveRecord<L extends ArchiveList> = z.output<(typeof ARCHIVE_RECORDS)[L]>;

export const ARCHIVE_EXTENSION_RECORDS = extendedRecords;
export type ArchiveExtensionList = keyof typeof ARCHIVE_EXTENSION_RECORDS;
export const ARCHIVE_EXTENSION_LISTS = Object.keys(extendedRecords) as readonly ArchiveExtensionList[];
export type ArchiveExtensionRecord<L extends ArchiveExtensionList> = z.output<(typeof ARCHIVE_EXTENSION_RECORDS)[L]>;

const extensions = z.strictObject({
  linkPolicy,
  agents: list(extendedRecords.agents),
  messages: list(extendedRecords.messages),
  tasks: list(extendedRecords.tasks),
  taskProgress: list(extendedRecords.taskProgress),
  escalations: list(extendedRecords.escalations),
  linkRequests: list(extendedRecords.linkRequests),
});

/** Members of an archive that are not lists of records. */
export const archiveHead = {
  format: z.literal(ARCHIVE_FORMAT, { error: `expected ${ARCHIVE_FORMAT}` }),
  version: z.literal(ARCHIVE_VERSION, { error: `expected ${ARCHIVE_VERSION}; other versions are not supported` }),
  exportedAt: anyInstant,
  scope: z.strictObject({ id: identifier, createdAt: anyInstant }),
};

export const scopeArchive = z
  .strictObject({
    ...archiveHead,
    agents: list(archivedAgent),
    links: list(archivedLink),
    messages: list(archivedMessage),
    tasks: list(archivedTask),
    taskProgress: list(archivedProgress),
    escalations: list(archivedEscalation),
    agentCardPublications: list(archivedPublication),
    a2aTasks: list(archivedA2aTask),
    a2aMessages: list(archivedA2aMessage),
    outputStreams: list(archivedOutputStream),
    outputValues: list(archivedOutputValue),
    extensions: extensions
      .meta({ description: "What the format itself cannot express; only where it was asked for." })
      .optional(),
  })
  .meta({ id: "ScopeArchive", description: "Portable archive of one scope, without any credential." });
export type ScopeArchive = z.output<typeof scopeArchive>;
