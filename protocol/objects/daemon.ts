import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { linkPolicy } from "./scope.ts";

export const health = z
  .object({
    name: z.string(),
    protocolVersion: z.string(),
    runtimeVersion: z.string(),
    features: z.array(z.string()),
    compatible: z.array(z.string()),
    instanceId: identifier,
    status: oneOf(["ready", "not_ready"]),
    startedAt: instant,
    storage: z.object({ backend: z.string(), status: oneOf(["available", "unavailable"]) }),
  })
  .meta({ id: "Health" });
export type Health = z.output<typeof health>;

export const liveness = z
  .object({ name: z.string(), status: z.literal("alive"), startedAt: instant })
  .meta({ id: "Liveness" });
export type Liveness = z.output<typeof liveness>;

const counts = {
  agents: z.int(),
  reachableAgents: z.int(),
  readyAgents: z.int(),
  openTasks: z.int(),
  claimedTasks: z.int(),
  pendingEscalations: z.int(),
  pendingLinkRequests: z.int(),
  undeliveredMessages: z.int(),
  unreadHumanMessages: z.int(),
};

export const scopeOverview = z
  .object({ scopeId: identifier, createdAt: instant, linkPolicy, ...counts })
  .meta({ id: "ScopeOverview" });
export type ScopeOverview = z.output<typeof scopeOverview>;

export const overview = z
  .object({
    generatedAt: instant,
    eventSequence: z
      .int()
      .meta({ description: "Newest event of the whole daemon; follow the event stream from here." }),
    totals: z.object({ scopes: z.int(), ...counts }),
    scopes: z.array(scopeOverview),
    storage: z.object({ backend: z.string(), databaseBytes: z.int(), walBytes: z.int() }),
  })
  .meta({ id: "Overview" });
export type Overview = z.output<typeof overview>;
