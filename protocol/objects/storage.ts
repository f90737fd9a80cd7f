import { z } from "zod";
import { flag, oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";

export const RECORD_TYPES = [
  "message",
  "task",
  "taskProgress",
  "escalation",
  "event",
  "a2aPublication",
  "a2aTask",
  "a2aMessage",
  "credential",
  "outputStream",
  "outputValue",
] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export const storageRecord = z
  .object({
    recordType: oneOf(RECORD_TYPES),
    state: z.string(),
    count: z.int(),
    estimatedBytes: z.int().meta({ description: "Bytes of content, without what the store adds." }),
    oldestAt: instant.optional(),
  })
  .meta({ id: "StorageRecord" });
export type StorageRecord = z.output<typeof storageRecord>;

export const storageSummary = z
  .object({
    scopeId: identifier,
    generatedAt: instant,
    totalEstimatedBytes: z.int(),
    records: z.array(storageRecord),
  })
  .meta({ id: "StorageSummary", description: "One record for each kind and state there is something of." });
export type StorageSummary = z.output<typeof storageSummary>;

export const retentionCounts = z
  .object({
    messages: z.int(),
    tasks: z.int(),
    taskProgress: z.int(),
    escalations: z.int(),
    events: z.int(),
    a2aTasks: z.int(),
    a2aMessages: z.int(),
    linkRequests: z.int(),
  })
  .meta({ id: "RetentionCounts" });
export type RetentionCounts = z.output<typeof retentionCounts>;

export const pruneResult = z
  .object({ scopeId: identifier, before: instant, dryRun: flag, records: retentionCounts })
  .meta({ id: "PruneResult" });
export type PruneResult = z.output<typeof pruneResult>;
