import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { OperationName } from "../../../protocol/index.ts";

/**
 * The objects of October Bus 0.1: fields and their types, `?` after the name of one that may be missing, `[]` after the type
 * of a list. There are no other fields.
 */
const OBJECTS = {
  Health: {
    name: ["october-bus"],
    protocolVersion: ["0.1"],
    runtimeVersion: "text",
    "features?": "text[]",
    status: ["ready", "not_ready"],
    startedAt: "instant",
    storage: "StorageHealth",
  },
  StorageHealth: { backend: "text", status: ["available", "unavailable"] },
  Liveness: { name: ["october-bus"], status: ["alive"], startedAt: "instant" },
  ScopeCredential: { scopeId: "id", scopeToken: "text" },
  ScopeInfo: { scopeId: "id", createdAt: "instant" },
  Imported: { scopeId: "id", "scopeToken?": "text", imported: "flag" },
  Deleted: { deleted: "flag" },
  Registration: { scopeId: "id", agentId: "id", executionId: "id", agentToken: "text", leaseExpiresAt: "instant" },
  Retired: { retired: [true] },
  Capability: { name: "id", "description?": "string" },
  Agent: {
    id: "id",
    displayName: "text",
    capabilities: "Capability[]",
    lifecycle: ["starting", "ready", "working", "idle", "needs_input", "offline"],
    ready: "flag",
    reachable: "flag",
    executionId: "id",
    registeredAt: "instant",
    updatedAt: "instant",
  },
  NodeIdentity: { scopeId: "id", agentId: "id", executionId: "id", leaseExpiresAt: "instant" },
  NodeStatus: { identity: "NodeIdentity", agent: "Agent" },
  Linked: { linked: [true] },
  ContextItem: {
    kind: ["text", "file", "url", "reference"],
    title: "text",
    "text?": "string",
    "uri?": "string",
    "mediaType?": "string",
  },
  Message: {
    id: "id",
    scopeId: "id",
    from: "id",
    fromKind: ["agent", "a2aPrincipal"],
    to: "id",
    toKind: ["agent", "a2aPrincipal"],
    mode: ["notify", "request", "response"],
    body: "text",
    context: "ContextItem[]",
    "responseTo?": "id",
    state: ["queued", "reserved", "delivered", "acknowledged", "expired"],
    createdAt: "instant",
    "expiresAt?": "instant",
    "deliveredAt?": "instant",
    "acknowledgedAt?": "instant",
    "repliedAt?": "instant",
    "responseMessageId?": "id",
  },
  Receipt: {
    messageId: "id",
    state: ["queued", "reserved", "delivered", "acknowledged", "expired"],
    acceptedAt: "instant",
    "deliveredAt?": "instant",
    "acknowledgedAt?": "instant",
    "repliedAt?": "instant",
    "responseMessageId?": "id",
  },
  Acknowledged: { acknowledged: "count" },
  Reservation: { id: "id", expiresAt: "instant", messages: "Message[]" },
  Released: { released: [true] },
  TaskProgress: {
    taskId: "id",
    sequence: "position",
    agentId: "id",
    executionId: "id",
    kind: ["progress", "note", "blocker"],
    text: "text",
    createdAt: "instant",
  },
  Task: {
    id: "id",
    scopeId: "id",
    title: "text",
    description: "string",
    createdBy: "idOrNull",
    "claimedBy?": "id",
    status: ["open", "claimed", "done"],
    dependencies: "id[]",
    ready: "flag",
    recentProgress: "TaskProgress[]",
    "note?": "string",
    createdAt: "instant",
    updatedAt: "instant",
  },
  TaskPage: { tasks: "Task[]", "nextCursor?": "id" },
  Escalation: {
    id: "id",
    scopeId: "id",
    agentId: "id",
    question: "text",
    options: "text[]",
    status: ["pending", "resolved"],
    "answer?": "string",
    createdAt: "instant",
    "resolvedAt?": "instant",
  },
  Event: {
    id: "id",
    scopeId: "id",
    type: "text",
    subjectId: "text",
    revision: "position",
    attributes: "strings",
    createdAt: "instant",
  },
  EventBatch: {
    scopeId: "id",
    events: "Event[]",
    nextRevision: "count",
    currentRevision: "count",
    minimumCursor: "count",
    resyncRequired: "flag",
  },
  StorageRecord: {
    recordType: [
      ...["message", "task", "taskProgress", "escalation", "event", "a2aPublication", "a2aTask", "a2aMessage"],
      ...["credential", "outputStream", "outputValue"],
    ],
    state: "text",
    count: "count",
    estimatedBytes: "count",
    "oldestAt?": "instant",
  },
  StorageSummary: {
    scopeId: "id",
    generatedAt: "instant",
    totalEstimatedBytes: "count",
    records: "StorageRecord[]",
  },
  RetentionCounts: {
    messages: "count",
    tasks: "count",
    taskProgress: "count",
    escalations: "count",
    events: "count",
    a2aTasks: "count",
    a2aMessages: "count",
  },
  PruneResult: { scopeId: "id", before: "instant", dryRun: "flag", records: "RetentionCounts" },
  Publication: {
    id: "id",
    scopeId: "id",
    agentId: "id",
    enabled: "flag",
    cardUrl: "url",
    interfaceUrl: "url",
    createdAt: "instant",
    updatedAt: "instant",
  },
  A2aPrincipal: {
    id: "id",
    scopeId: "id",
    publicationId: "id",
    label: "text",
    enabled: "flag",
    createdAt: "instant",
    updatedAt: "instant",
  },
  IssuedA2aPrincipal: { principal: "A2aPrincipal", credential: "text" },
  A2aPrincipalUsage: {
    principalId: "id",
    publicationId: "id",
    unfinishedMessages: "count",
    unfinishedBytes: "count",
    messageLimit: "position",
    byteLimit: "position",
  },
  OutputStream: {
    id: "id",
    scopeId: "id",
    name: "id",
    retentionLimit: "position",
    currentSequence: "count",
    minimumCursor: "count",
    publisherAgentIds: "id[]",
    createdAt: "instant",
    updatedAt: "instant",
  },
  Removed: { removed: [true] },
  OutputReference: { uri: "url", "title?": "text" },
  OutputValue: {
    streamId: "id",
    sequence: "position",
    producerType: ["agent", "principal"],
    producerId: "id",
    contentType: ["text/plain", "application/json"],
    value: "content",
    "reference?": "OutputReference",
    createdAt: "instant",
  },
  OutputHistory: {
    streamId: "id",
    values: "OutputValue[]",
    nextSequence: "count",
    currentSequence: "count",
    minimumCursor: "count",
    resyncRequired: "flag",
  },
  OutputPrincipal: {
    id: "id",
    scopeId: "id",
    streamId: "id",
    label: "text",
    permissions: "permission[]",
    enabled: "flag",
    createdAt: "instant",
    updatedAt: "instant",
  },
  IssuedOutputPrincipal: { principal: "OutputPrincipal", credential: "text" },
  Stopping: { stopping: [true] },
} satisfies Record<string, Readonly<Record<string, string | readonly (string | boolean)[]>>>;

const VALUES: Readonly<Record<string, object>> = {
  id: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$" },
  idOrNull: { anyOf: [{ $ref: "#/$defs/id" }, { type: "null" }] },
  instant: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" },
  string: { type: "string" },
  text: { type: "string", minLength: 1 },
  url: { type: "string", pattern: "^https?://" },
  flag: { type: "boolean" },
  count: { type: "integer", minimum: 0 },
  position: { type: "integer", minimum: 1 },
  strings: { type: "object", additionalProperties: { type: "string" } },
  content: { not: { type: "null" } },
  permission: { enum: ["read", "publish"] },
};

/** What each operation of 0.1 that answers in its own JSON gives; `?` after a type: or null. */
export const RESULTS: Readonly<Partial<Record<OperationName, string>>> = {
  health: "Health",
  liveness: "Liveness",
  shutdown: "Stopping",
  createScope: "ScopeCredential",
  listScopes: "ScopeInfo[]",
  rotateScopeToken: "ScopeCredential",
  deleteScope: "Deleted",
  importScope: "Imported",
  registerAgent: "Registration",
  listAgents: "Agent[]",
  linkAgents: "Linked",
  heartbeat: "Agent",
  whoAmI: "NodeStatus",
  retire: "Retired",
  listPeers: "Agent[]",
  sendMessage: "Receipt",
  getReceipt: "Receipt",
  acknowledgeMessages: "Acknowledged",
  reserveInbox: "Reservation?",
  commitInbox: "Message[]",
  releaseInbox: "Released",
  addTask: "Task",
  listTasks: "Task[]",
  listTasksPage: "TaskPage",
  claimTask: "Task",
  releaseTask: "Task",
  completeTask: "Task",
  addTaskProgress: "TaskProgress",
  listTaskProgress: "TaskProgress[]",
  askHuman: "Escalation",
  getEscalation: "Escalation",
  listEscalations: "Escalation[]",
  resolveEscalation: "Escalation",
  storageSummary: "StorageSummary",
  pruneScope: "PruneResult",
  listEvents: "EventBatch",
  publishAgentCard: "Publication",
  listAgentCardPublications: "Publication[]",
  enableAgentCardPublication: "Publication",
  disableAgentCardPublication: "Publication",
  createA2aPrincipal: "IssuedA2aPrincipal",
  listA2aPrincipals: "A2aPrincipal[]",
  listA2aPrincipalUsage: "A2aPrincipalUsage[]",
  rotateA2aPrincipal: "IssuedA2aPrincipal",
  enableA2aPrincipal: "A2aPrincipal",
  disableA2aPrincipal: "A2aPrincipal",
  createOutputStream: "OutputStream",
  listOutputStreams: "OutputStream[]",
  getOutputStream: "OutputStream",
  removeOutputStream: "Removed",
  addOutputPublisher: "OutputStream",
  removeOutputPublisher: "OutputStream",
  createOutputPrincipal: "IssuedOutputPrincipal",
  listOutputPrincipals: "OutputPrincipal[]",
  rotateOutputPrincipal: "IssuedOutputPrincipal",
  enableOutputPrincipal: "OutputPrincipal",
  disableOutputPrincipal: "OutputPrincipal",
  publishOutput: "OutputValue",
  listOutputValues: "OutputHistory",
  latestOutput: "OutputValue?",
};

type Type = string | readonly (string | boolean)[];

function typeSchema(type: Type): object {
  if (typeof type !== "string") return { enum: type };
  if (type.endsWith("[]")) return { type: "array", items: typeSchema(type.slice(0, -2)) };
  if (type.endsWith("?")) return { anyOf: [typeSchema(type.slice(0, -1)), { type: "null" }] };
  return { $ref: `#/$defs/${type}` };
}

function objectSchema(fields: Readonly<Record<string, Type>>): object {
  const entries = Object.entries(fields);
  return {
    type: "object",
    additionalProperties: false,
    required: entries.map(([name]) => name).filter((name) => !name.endsWith("?")),
    properties: Object.fromEntries(entries.map(([name, type]) => [name.replace("?", ""), typeSchema(type)])),
  };
}

/** Only a task that is open has nobody. */
const CLAIMED = {
  if: { properties: { status: { const: "open" } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, nothing that is awaited
  then: { not: { required: ["claimedBy"] } },
  else: { required: ["claimedBy"] },
};

const $defs: Record<string, object> = { ...VALUES };
for (const [name, fields] of Object.entries(OBJECTS)) $defs[name] = objectSchema(fields);
$defs.Task = { ...$defs.Task, ...CLAIMED };

const ajv = new Ajv2020({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value that should be of a type of 0.1; empty when nothing is. */
export function problemsOf(type: string, value: unknown): string[] {
  let validate = validators.get(type);
  if (!validate) {
    validate = ajv.compile({ $defs, ...typeSchema(type) });
    validators.set(type, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
