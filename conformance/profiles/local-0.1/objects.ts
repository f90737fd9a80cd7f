import { z } from "zod";

/** The objects of October Bus 0.1 as a client of it reads them. Fields it does not know are for others. */

const text = z.string();
const whole = z.int();
const instant = z.iso.datetime();

const agentFields = {
  id: text,
  displayName: text,
  capabilities: z.array(z.looseObject({ name: text })),
  lifecycle: z.enum(["starting", "ready", "working", "idle", "needs_input", "offline"]),
  ready: z.boolean(),
  reachable: z.boolean(),
  executionId: text,
  registeredAt: instant,
  updatedAt: instant,
};
export const agent = z.looseObject(agentFields);
export const agents = z.array(agent);

export const health = z.looseObject({
  name: text,
  protocolVersion: text,
  runtimeVersion: text,
  features: z.array(text).optional(),
  status: z.enum(["ready", "not_ready"]),
  startedAt: instant,
  storage: z.looseObject({ backend: text, status: z.enum(["available", "unavailable"]) }),
});

export const scopeCredential = z.looseObject({ scopeId: text, scopeToken: text.min(1) });

export const registration = z.looseObject({
  scopeId: text,
  agentId: text,
  executionId: text,
  agentToken: text.min(1),
  leaseExpiresAt: instant,
});

export const nodeStatus = z.looseObject({
  identity: z.looseObject({ scopeId: text, agentId: text, executionId: text, leaseExpiresAt: instant }),
  agent,
});

export const receipt = z.looseObject({
  messageId: text,
  state: text,
  acceptedAt: instant,
  deliveredAt: instant.optional(),
  acknowledgedAt: instant.optional(),
  repliedAt: instant.optional(),
  responseMessageId: text.optional(),
});

export const message = z.looseObject({
  id: text,
  scopeId: text,
  from: text,
  fromKind: text,
  to: text,
  toKind: text,
  mode: z.enum(["notify", "request", "response"]),
  body: text,
  context: z.array(z.looseObject({ kind: text, title: text })),
  responseTo: text.optional(),
  state: text,
  createdAt: instant,
});
export const messages = z.array(message);
export type Message = z.output<typeof message>;

export const reservation = z.looseObject({ id: text, expiresAt: instant, messages });
export const acknowledgement = z.looseObject({ acknowledged: whole });

export const taskProgress = z.looseObject({
  taskId: text,
  sequence: whole.min(1),
  agentId: text,
  executionId: text,
  kind: z.enum(["progress", "note", "blocker"]),
  text,
  createdAt: instant,
});

export const task = z.looseObject({
  id: text,
  scopeId: text,
  title: text,
  description: text,
  createdBy: text.nullable(),
  claimedBy: text.optional(),
  status: z.enum(["open", "claimed", "done"]),
  dependencies: z.array(text),
  ready: z.boolean(),
  recentProgress: z.array(taskProgress),
  note: text.optional(),
  createdAt: instant,
  updatedAt: instant,
});

export const escalation = z.looseObject({
  id: text,
  scopeId: text,
  agentId: text,
  question: text,
  options: z.array(text),
  status: z.enum(["pending", "resolved"]),
  answer: text.optional(),
  createdAt: instant,
  resolvedAt: instant.optional(),
});

export const event = z.looseObject({
  id: text,
  scopeId: text,
  type: text,
  subjectId: text,
  revision: whole.min(1),
  attributes: z.record(text, text),
  createdAt: instant,
});

export const eventPage = z.looseObject({
  scopeId: text,
  events: z.array(event),
  nextRevision: whole,
  currentRevision: whole,
  minimumCursor: whole,
  resyncRequired: z.boolean(),
});
