import type { Timers } from "../../client/index.ts";

const MAX_CRASHES = 3;
const WITHIN_MS = 60_000;

/** Says whether a page that has crashed should be tried again: one that crashes all the time would keep the machine busy. */
export class CrashGuard {
  readonly #timers: Timers;
  #crashes: number[] = [];

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  mayTryAgain(): boolean {
    const now = this.#timers.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < WITHIN_MS), now];
    return this.#crashes.length <= MAX_CRASHES;
  }
}
