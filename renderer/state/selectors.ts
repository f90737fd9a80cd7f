import { compareAge, compareUrgency } from "../../protocol/desktop/questions.ts";
import type { Escalation } from "../../protocol/objects/escalation.ts";
import type { AppState } from "./app-store.ts";

/** The most urgent first, then who has waited longest. */
export function byUrgency(left: Escalation, right: Escalation): number {
  return compareUrgency(left, right) || compareAge(left, right);
}

/** The questions of the scope that is shown. */
export function questionsShown(
  questions: AppState["live"]["questions"],
  scopeId: string | undefined,
): readonly Escalation[] {
  const all = Object.values(questions);
  return scopeId === undefined ? all : all.filter((question) => question.scopeId === scopeId);
}

/** Numbers of the overview, added up over the scopes that are shown. */
export function countShown(
  { live, scopeId }: Pick<AppState, "live" | "scopeId">,
  count: "reachableAgents" | "agents" | "openTasks" | "claimedTasks" | "unreadHumanMessages" | "pendingLinkRequests",
): number {
  let sum = 0;
  for (const scope of Object.values(live.scopes))
    if (scopeId === undefined || scope.scopeId === scopeId) sum += scope[count];
  return sum;
}
