import { useCallback, useSyncExternalStore } from "react";

/** One timer for every time that is shown, running only while one is. */
const TICK_MS = 1000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const tick of listeners) tick();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * What `derive` makes of the time, kept up to date. Only a component whose own value has changed renders again, so derive
 * the words that are shown and not the instant.
 */
export function useNow<T extends string | number | boolean>(derive: (nowMs: number) => T): T {
  const snapshot = useCallback(() => {
    if (listeners.size === 0) now = Date.now();
    return derive(now);
  }, [derive]);
  return useSyncExternalStore(subscribe, snapshot);
}
