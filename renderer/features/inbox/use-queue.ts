import { useCallback, useMemo } from "react";
import { isDeferred } from "../../../protocol/desktop/questions.ts";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useNow } from "../../lib/clock.ts";
import { useApp } from "../../state/context.tsx";
import { byUrgency, questionsShown } from "../../state/selectors.ts";

export interface Queue {
  /** The most urgent first, then who has waited longest. */
  readonly pending: readonly Escalation[];
  /** What comes back first is first. */
  readonly later: readonly Escalation[];
}

/** The questions that wait, and those that were put off; one whose time has come moves over by itself. */
export function useQueue(): Queue {
  const live = useApp((state) => state.live.questions);
  const scopeId = useApp((state) => state.scopeId);
  const deferred = useNow(
    useCallback((nowMs: number) => Object.values(live).filter((one) => isDeferred(one, nowMs)).length, [live]),
  );
  return useMemo(() => {
    const all = questionsShown(live, scopeId);
    const now = Date.now();
    // With none put off, the clock need not be looked at.
    const isLater = (question: Escalation) => deferred > 0 && isDeferred(question, now);
    return {
      pending: all.filter((question) => !isLater(question)).sort(byUrgency),
      later: all.filter(isLater).sort((left, right) => (laterThan(left, right) ? 1 : -1)),
    };
  }, [live, scopeId, deferred]);
}

function laterThan(left: Escalation, right: Escalation): boolean {
  return (left.deferredUntil ?? "") > (right.deferredUntil ?? "");
}
