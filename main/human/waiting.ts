import { compareAge, compareUrgency, isDeferred, type LiveState } from "../../protocol/desktop/index.ts";
import type { Escalation } from "../../protocol/index.ts";

/**
 * Questions that are pending and not put off, the urgent ones first and the newest first among equals. Their number is the
 * one count that icon, tooltip, badge, menu and windows show.
 */
export function waitingQuestions(questions: LiveState["questions"], now: number): Escalation[] {
  return Object.values(questions)
    .filter((question) => question.status === "pending" && !isDeferred(question, now))
    .sort((a, b) => compareUrgency(a, b) || compareAge(b, a));
}

/** When the next question comes back that was put off, in milliseconds; undefined when none is. */
export function nextReturn(questions: LiveState["questions"], now: number): number | undefined {
  const returns = Object.values(questions).flatMap((question) =>
    question.deferredUntil !== undefined && isDeferred(question, now) ? [Date.parse(question.deferredUntil)] : [],
  );
  return returns.length > 0 ? Math.min(...returns) : undefined;
}
