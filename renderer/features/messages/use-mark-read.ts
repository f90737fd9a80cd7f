import { useEffect, useRef } from "react";
import { LIMITS } from "../../../protocol/limits.ts";
import type { Message } from "../../../protocol/objects/message.ts";
import { useHost } from "../../state/context.tsx";

/** Whoever scrolls past does not read; ms. */
const SEEN_MS = 600;

/** Tells the daemon which messages to the human have been on screen, in bundles. */
export function useMarkRead(scopeId: string, visible: readonly Message[]): void {
  const host = useHost();
  const told = useRef(new Set<string>());
  const unread = visible
    .filter(({ toKind, state, id }) => toKind === "human" && state !== "acknowledged" && !told.current.has(id))
    .map(({ id }) => id)
    .join(" ");
  useEffect(() => {
    if (unread === "") return;
    const timer = setTimeout(() => {
      if (document.visibilityState !== "visible") return;
      const messageIds = unread.split(" ").slice(0, LIMITS.acknowledgeMessages);
      for (const id of messageIds) told.current.add(id);
      // Fails when the daemon is away: they are told again when they are next on screen.
      host.call("acknowledgeHumanMessages", { messageIds }, scopeId).catch(() => {
        for (const id of messageIds) told.current.delete(id);
      });
    }, SEEN_MS);
    return () => clearTimeout(timer);
  }, [host, scopeId, unread]);
}
