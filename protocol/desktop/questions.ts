import type { Escalation } from "../objects/escalation.ts";

// What tray, windows and commands have to agree on when they show the questions that wait.

const URGENCY_RANK: Readonly<Record<Escalation["urgency"], number>> = { high: 0, normal: 1, low: 2 };

/** Compares by urgency alone: negative when `left` is the more urgent one. */
export function compareUrgency(left: Escalation, right: Escalation): number {
  return URGENCY_RANK[left.urgency] - URGENCY_RANK[right.urgency];
}

/** Compares by when they were asked, the older one first. */
export function compareAge(left: Escalation, right: Escalation): number {
  return compare(left.createdAt, right.createdAt) || compare(left.id, right.id);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Put off until an instant that is still to come. */
export function isDeferred({ deferredUntil }: Escalation, nowMs: number): boolean {
  return deferredUntil !== undefined && Date.parse(deferredUntil) > nowMs;
}

const MORNING_HOUR = 9;

/** Nine o'clock so many days after today, where the reader is; ms since the epoch. */
export function morningIn(days: number, nowMs: number): number {
  const now = new Date(nowMs);
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR).getTime();
}
