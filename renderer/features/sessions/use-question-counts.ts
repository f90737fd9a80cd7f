import { useMemo } from "react";
import { agentKey } from "../../../protocol/desktop/live.ts";
import { useApp } from "../../state/context.tsx";

/** How many questions of each agent are pending, by its key. */
export function useQuestionCounts(): Readonly<Record<string, number>> {
  const questions = useApp((state) => state.live.questions);
  return useMemo(() => {
    const counts: Record<string, number> = {};
    for (const { scopeId, agentId } of Object.values(questions)) {
      const key = agentKey(scopeId, agentId);
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }, [questions]);
}
