import { z } from "zod";

/** Objects of October Bus 0.1 that a scope's owner deals with: publications, credentials, outputs, archives, storage. */

const text = z.string();
const whole = z.int();
const instant = z.iso.datetime();

export const publication = z.looseObject({
  id: text.min(1),
  scopeId: text,
  agentId: text,
  enabled: z.boolean(),
  cardUrl: text.min(1),
  interfaceUrl: text.min(1),
  createdAt: instant,
  updatedAt: instant,
});

export const agentCard = z.looseObject({
  name: text,
  supportedInterfaces: z.array(z.looseObject({ url: text })),
});

const principal = z.looseObject({ id: text.min(1), enabled: z.boolean() });
export const principals = z.array(principal);
export const principalChange = z.union([principal, z.looseObject({ principal })]);
export const principalCredential = z.looseObject({ principal, credential: text.min(1) });

export const outputStream = z.looseObject({ id: text.min(1), name: text });

export const outputValue = z.looseObject({
  streamId: text,
  sequence: whole.min(1),
  producerType: z.enum(["agent", "principal"]),
  producerId: text,
  contentType: text,
  value: z.unknown(),
  createdAt: instant,
});

export const outputHistory = z.looseObject({
  streamId: text,
  values: z.array(outputValue),
  nextSequence: whole,
  currentSequence: whole,
  minimumCursor: whole,
  resyncRequired: z.boolean(),
});

export const imported = z.looseObject({ scopeId: text, scopeToken: text.optional(), imported: z.boolean() });

export const storageSummary = z.looseObject({
  scopeId: text,
  generatedAt: instant,
  totalEstimatedBytes: whole,
  records: z.array(z.looseObject({ recordType: text, state: text, count: whole, estimatedBytes: whole })),
});

export const pruneReport = z.looseObject({
  scopeId: text,
  before: text,
  dryRun: z.boolean(),
  records: z.looseObject({
    messages: whole,
    tasks: whole,
    taskProgress: whole,
    escalations: whole,
    events: whole,
    a2aTasks: whole,
    a2aMessages: whole,
  }),
});
