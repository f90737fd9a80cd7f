import { AGENT_ATTRIBUTES } from "../../../protocol/events/index.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import type { FeedKey } from "./feed-cache.ts";

/** The part of an event's type before the dot. */
export function kindOf(type: string): string {
  return type.slice(0, type.indexOf("."));
}

/** Where questions were shown matters to those who look at questions; among everything else it would be most of it. */
const ASKED_FOR_ONLY: ReadonlySet<string> = new Set(["escalation.shown"]);

/** Whether a feed holds the event; apart from what has to be asked for, the daemon answers by the same rules. */
export function matchesFeed({ scopeId, kind, subjectId, agentId }: FeedKey, event: Event): boolean {
  if (event.scopeId !== scopeId) return false;
  if (ASKED_FOR_ONLY.has(event.type) && kind === undefined && subjectId === undefined) return false;
  if (kind !== undefined && kindOf(event.type) !== kind) return false;
  if (subjectId !== undefined && event.subjectId !== subjectId) return false;
  return agentId === undefined || isAbout(event, agentId);
}

function isAbout(event: Event, agentId: string): boolean {
  if (kindOf(event.type) === "agent" && event.subjectId === agentId) return true;
  return Object.entries(event.attributes).some(([name, value]) => value === agentId && AGENT_ATTRIBUTES.has(name));
}
