import { useEffect } from "react";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { useHost } from "../../state/context.tsx";

/** Recorded already, or about to be. */
const recorded = new Set<string>();

/** Records that this question was on screen in a window: once for each, and not while the page is hidden. */
export function useSeen({ id, scopeId, status }: Escalation): void {
  const host = useHost();
  useEffect(() => {
    const record = () => {
      if (status !== "pending" || document.visibilityState !== "visible" || recorded.has(id)) return;
      recorded.add(id);
      host
        .call("recordEscalationNotice", { escalationId: id, surface: "window", verdict: "seen" }, scopeId)
        // The next showing tries again; a record of our own is nothing to trouble the human with.
        .catch(() => recorded.delete(id));
    };
    record();
    document.addEventListener("visibilitychange", record);
    return () => document.removeEventListener("visibilitychange", record);
  }, [host, id, scopeId, status]);
}
