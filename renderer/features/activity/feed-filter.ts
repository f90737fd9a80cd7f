import { AGENT_ATTRIBUTES } from "../../../protocol/events/index.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import type { FeedKey } from "./feed-cache.ts";

/** The part of an event's type before the dot. */
export function kindOf(type: string): string {
  return type.slice(0, type.indexOf("."));
}

/** Whether a feed holds the event; the daemon answers by the same rules. */
export function matchesFeed({ scopeId, kind, subjectId, agentId }: FeedKey, event: Event): boolean {
  if (event.scopeId !== scopeId) return false;
  if (kind !== undefined && kindOf(event.type) !== kind) return false;
  if (subjectId !== undefined && event.subjectId !== subjectId) return false;
  return agentId === undefined || isAbout(event, agentId);
}

function isAbout(event: Event, agentId: string): boolean {
  if (kindOf(event.type) === "agent" && event.subjectId === agentId) return true;
  return Object.entries(event.attributes).some(([name, value]) => value === agentId && AGENT_ATTRIBUTES.has(name));
}
