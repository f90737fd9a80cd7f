import { z } from "zod";
import { flag, integer, oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { text } from "../text.ts";

export const LIFECYCLES = ["starting", "ready", "working", "idle", "needs_input", "offline"] as const;
export const lifecycle = oneOf(LIFECYCLES);
export type Lifecycle = (typeof LIFECYCLES)[number];

export const displayName = text(LIMITS.displayNameBytes);

export const capability = z
  .strictObject({ name: identifier, description: text(LIMITS.capabilityDescriptionBytes, 0).optional() })
  .meta({ id: "Capability" });
export type Capability = z.output<typeof capability>;

export const capabilities = z
  .array(capability)
  .max(LIMITS.capabilities, { error: `expected at most ${LIMITS.capabilities} capabilities` })
  .refine((list) => new Set(list.map((entry) => entry.name)).size === list.length, {
    error: "expected each capability name once",
  })
  .meta({ description: "Each name once." });

/** What an agent says of the program it runs in. Claims, not facts: show them as such. */
export const agentMetadata = z
  .strictObject({
    harness: text(64).optional(),
    harnessVersion: text(64).optional(),
    model: text(128).optional(),
    cwd: text(1024).optional(),
    pid: integer(1, 4_294_967_295).optional(),
    host: text(256).optional(),
    sessionId: text(128).optional(),
  })
  .meta({ id: "AgentMetadata", description: "What an agent says of the program it runs in; claims, not facts." });
export type AgentMetadata = z.output<typeof agentMetadata>;

export const owes = z.object({ undelivered: z.int(), unanswered: z.int() }).meta({
  id: "Owes",
  description: "Messages not yet delivered to the agent, and requests it has taken but not answered.",
});

export const agent = z
  .object({
    id: identifier,
    displayName: z.string(),
    capabilities: z.array(capability),
    lifecycle,
    ready: flag,
    reachable: z.boolean().meta({ description: "The lease is current and the lifecycle is not offline." }),
    executionId: identifier,
    registeredAt: instant,
    updatedAt: instant,
    lastSeenAt: instant.meta({ description: "Last registration or heartbeat." }),
    summary: z.string().optional(),
    metadata: agentMetadata.optional(),
    owes,
  })
  .meta({ id: "Agent" });
export type Agent = z.output<typeof agent>;

export const registration = z
  .object({
    scopeId: identifier,
    agentId: identifier,
    executionId: identifier,
    agentToken: z.string().meta({ description: "Shown once; the daemon keeps only its hash." }),
    leaseExpiresAt: instant,
  })
  .meta({ id: "Registration" });
export type Registration = z.output<typeof registration>;

export const nodeStatus = z
  .object({
    identity: z.object({
      scopeId: identifier,
      agentId: identifier,
      executionId: identifier,
      leaseExpiresAt: instant,
    }),
    agent,
  })
  .meta({ id: "NodeStatus" });
export type NodeStatus = z.output<typeof nodeStatus>;

/** 0 means the default lease. */
export const leaseMs = integer(0, LIMITS.leaseMaxMs)
  .refine((value) => value === 0 || value >= LIMITS.leaseMinMs, {
    error: `expected 0 or ${LIMITS.leaseMinMs} to ${LIMITS.leaseMaxMs} milliseconds`,
  })
  .meta({ anyOf: [{ const: 0 }, { minimum: LIMITS.leaseMinMs }] })
  .optional();
