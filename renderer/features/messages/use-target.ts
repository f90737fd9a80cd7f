import { useEffect } from "react";
import { useStore } from "zustand";
import { useText } from "../../state/context.tsx";
import { say } from "../../ui/toasts.tsx";
import type { ThreadCache } from "./thread-cache.ts";
import { messagesView } from "./view-state.ts";

/** How many older pages are read to find a message somebody was sent to. */
const MOST_PAGES = 10;

/** Goes to the message the view was sent to, reading back for it as far as is reasonable. */
export function useTarget(thread: ThreadCache, show: (id: string) => void): void {
  const t = useText();
  const target = useStore(messagesView, (state) => state.target);
  const isReady = useStore(thread.store, (state) => state.status !== "loading");
  useEffect(() => {
    if (target === undefined || !isReady) return;
    let isWanted = true;
    void find(thread, target, () => isWanted).then((isFound) => {
      if (!isWanted) return;
      // The rows it was found among are drawn first.
      if (isFound) requestAnimationFrame(() => show(target));
      else say({ title: t("messages.locate.failed") });
    });
    return () => {
      isWanted = false;
    };
  }, [thread, target, isReady, show, t]);
}

async function find(thread: ThreadCache, id: string, isWanted: () => boolean): Promise<boolean> {
  for (let page = 0; page <= MOST_PAGES && isWanted(); page += 1) {
    const { messages, cursor } = thread.store.getState();
    if (messages.some((message) => message.id === id)) return true;
    if (!cursor) return false;
    await thread.loadOlder();
  }
  return false;
}
