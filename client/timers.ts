/** Time as the client sees it. Inject another one to test without waiting. */
export interface Timers {
  /** Milliseconds of the wall clock. It may jump, e.g. when the machine was suspended. */
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

/** The runtime's own clock and timers, looked up at each call. */
export const systemTimers: Timers = {
  now: () => Date.now(),
  setTimeout: (run, ms) => setTimeout(run, ms),
  clearTimeout: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

/** Runtimes fire a timer at once when its delay does not fit a signed 32-bit number. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, or at once when `signal` aborts: look at the signal afterwards. */
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ms <= 0 || signal?.aborted) return resolve();
    const finish = (): void => {
      timers.clearTimeout(handle);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const handle = timers.setTimeout(finish, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener("abort", finish, { once: true });
  });
}
