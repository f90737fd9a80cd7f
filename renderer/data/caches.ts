import { useEffect } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { feedCaches } from "../features/activity/feed-cache.ts";
import { conversationCaches } from "../features/messages/conversation-cache.ts";
import { threadCaches } from "../features/messages/thread-cache.ts";
import { taskCaches } from "../features/tasks/task-cache.ts";
import type { App } from "../state/app.ts";
import { useAppHandle } from "../state/context.tsx";
import type { Cache, Loading } from "./cache.ts";

/** What the views of a page hold besides the live state. It outlives them: a view that comes back shows it at once. */
function cachesOf(app: App) {
  return {
    tasks: taskCaches(app),
    conversations: conversationCaches(app),
    threads: threadCaches(app),
    feeds: feedCaches(app),
  };
}

const known = new WeakMap<App, ReturnType<typeof cachesOf>>();

export function useCaches(): ReturnType<typeof cachesOf> {
  const app = useAppHandle();
  let caches = known.get(app);
  if (!caches) {
    caches = cachesOf(app);
    known.set(app, caches);
  }
  return caches;
}

/** A part of what a cache holds, which is kept up to date while the component is there. Lists and objects are compared entry by entry. */
export function useCached<State extends Loading, T>(cache: Cache<State>, selector: (state: State) => T): T {
  useEffect(() => cache.retain(), [cache]);
  return useStore(cache.store, useShallow(selector));
}
