import type { LiveState } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";

const RANK: Readonly<Record<Escalation["urgency"], number>> = { high: 0, normal: 1, low: 2 };

/** True while the human has put the question off. */
export function isPutOff({ deferredUntil }: Escalation, now: number): boolean {
  return deferredUntil !== undefined && Date.parse(deferredUntil) > now;
}

/**
 * Questions that are pending and not put off, the urgent ones first and the newest first among equals. Their number is the
 * one count that icon, tooltip, badge, menu and windows show.
 */
export function waitingQuestions(questions: LiveState["questions"], now: number): Escalation[] {
  return Object.values(questions)
    .filter((question) => question.status === "pending" && !isPutOff(question, now))
    .sort((a, b) => RANK[a.urgency] - RANK[b.urgency] || compare(b.createdAt, a.createdAt) || compare(b.id, a.id));
}

/** When the next question comes back that was put off, in milliseconds; undefined when none is. */
export function nextReturn(questions: LiveState["questions"], now: number): number | undefined {
  const returns = Object.values(questions).flatMap((question) =>
    question.deferredUntil !== undefined && isPutOff(question, now) ? [Date.parse(question.deferredUntil)] : [],
  );
  return returns.length > 0 ? Math.min(...returns) : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
