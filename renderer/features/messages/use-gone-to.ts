import { useEffect } from "react";
import { useAct } from "../../data/use-act.ts";
import { useApp, useAppHandle } from "../../state/context.tsx";
import { pairOf, recipientOf, senderOf } from "./parties.ts";
import { openConversation } from "./view-state.ts";

/** Opens the conversation of the message the page was sent to, at that message. */
export function useGoneTo(scopeId: string): void {
  const app = useAppHandle();
  const act = useAct();
  const id = useApp((state) => state.route.id);
  useEffect(() => {
    if (id === undefined) return;
    let isWanted = true;
    void act(() => app.host.call("getMessage", { messageId: id }, scopeId)).then((message) => {
      if (!isWanted || !message) return;
      openConversation(scopeId, pairOf(senderOf(message), recipientOf(message)), id);
      app.navigate({ view: "messages", scopeId });
    });
    return () => {
      isWanted = false;
    };
  }, [app, act, id, scopeId]);
}
