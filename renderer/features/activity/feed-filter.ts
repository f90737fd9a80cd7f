import { concernsAgent, kindOf } from "../../../protocol/events/index.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import type { FeedKey } from "./feed-cache.ts";

/** Where questions were shown matters to those who look at questions; among everything else it would be most of it. */
const ASKED_FOR_ONLY: ReadonlySet<string> = new Set(["escalation.shown"]);

/** Whether a feed holds the event; apart from what has to be asked for, the daemon answers by the same rules. */
export function matchesFeed({ scopeId, kind, subjectId, agentId }: FeedKey, event: Event): boolean {
  if (event.scopeId !== scopeId) return false;
  if (ASKED_FOR_ONLY.has(event.type) && kind === undefined && subjectId === undefined) return false;
  if (kind !== undefined && kindOf(event.type) !== kind) return false;
  if (subjectId !== undefined && event.subjectId !== subjectId) return false;
  return agentId === undefined || concernsAgent(event, agentId);
}
