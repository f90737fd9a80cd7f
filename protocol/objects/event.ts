import { z } from "zod";
import { identifier, instant } from "../ids.ts";

/**
 * Everything that can happen, with the attributes each event may carry. Attributes are strings, absent when empty,
 * and never hold content or credentials. Events commit together with the change they tell of.
 */
export const EVENT_ATTRIBUTES = {
  "agent.registered": ["executionId", "lifecycle", "ready", "leaseExpiresAt"],
  "agent.lifecycle_changed": ["executionId", "lifecycle", "ready", "leaseExpiresAt", "reason"],
  "agent.profile_changed": ["executionId"],
  "agent.lease_expired": ["executionId"],
  "agent.removed": ["executionId"],
  "scope.created": ["linkPolicy"],
  "scope.deleted": [],
  "scope.policy_changed": ["linkPolicy"],
  "scope.credentials_rotated": ["executions", "scopedCredentials"],
  "link.created": ["leftAgent", "rightAgent"],
  "link.removed": ["leftAgent", "rightAgent"],
  "link.requested": ["from", "to", "status"],
  "link.request_resolved": ["from", "to", "status"],
  "message.accepted": ["from", "fromKind", "to", "toKind", "mode", "state", "responseTo"],
  "message.replied": ["responseMessageId", "from", "to"],
  "message.reserved": ["from", "to", "mode", "state"],
  "message.released": ["from", "to", "mode", "state"],
  "message.delivered": ["from", "to", "mode", "state"],
  "message.acknowledged": ["from", "to", "mode", "state"],
  "message.expired": ["from", "to", "mode", "state"],
  "message.deferred": ["from", "to", "mode", "state", "retryAt"],
  "message.dead_lettered": ["from", "to", "mode", "state"],
  "message.requeued": ["from", "to", "mode", "state"],
  "task.created": ["createdBy", "status"],
  "task.updated": ["status"],
  "task.dependencies_changed": ["added", "removed", "ready"],
  "task.dependency_completed": ["dependency", "ready"],
  "task.dependency_cancelled": ["dependency"],
  "task.claimed": ["claimedBy", "executionId", "status"],
  "task.completed": ["claimedBy", "executionId", "status"],
  "task.released": ["previousClaimedBy", "executionId", "reason", "cause", "status"],
  "task.cancelled": ["previousClaimedBy", "status"],
  "task.progress_added": ["agentId", "executionId", "kind", "sequence"],
  "escalation.created": ["agentId", "status", "kind", "urgency"],
  "escalation.resolved": ["agentId", "status", "by", "surface", "late"],
  "escalation.cancelled": ["agentId", "status"],
  "escalation.expired": ["agentId", "status"],
} as const satisfies Record<string, readonly string[]>;

export type EventType = keyof typeof EVENT_ATTRIBUTES;
export const EVENT_TYPES = Object.keys(EVENT_ATTRIBUTES) as readonly EventType[];

/** Attribute every event may carry besides its own: which owner credential acted (`scope` token or admin as `owner`). */
export const ACTOR_ATTRIBUTE = "actor";

export const event = z
  .object({
    id: identifier,
    scopeId: identifier,
    type: z.string(),
    subjectId: z.string(),
    revision: z.int().meta({ description: "Position in its scope, from 1, without gaps." }),
    attributes: z.record(z.string(), z.string()),
    createdAt: instant,
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof event>;

export const eventPage = z
  .object({
    scopeId: identifier,
    events: z.array(event),
    nextRevision: z.int(),
    currentRevision: z.int(),
    minimumCursor: z.int().meta({ description: "Oldest cursor that still gets every event after it." }),
    resyncRequired: z
      .boolean()
      .meta({ description: "Events were pruned: rebuild from the resources, continue at nextRevision." }),
  })
  .meta({ id: "EventPage" });
export type EventPage = z.output<typeof eventPage>;
