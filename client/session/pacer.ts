import { sleep, type Timers } from "../timers.ts";

/**
 * Timers of a suspended machine stand still, and a long one goes on standing after it wakes. So a long pause is made of
 * short ones, and a short one that took far too long on the wall clock gives the suspend away.
 */
const TICK_MS = 5_000;

/** A pause that ends early when somebody asks for it, or when the machine comes back from a suspend. */
export class Pacer {
  readonly #timers: Timers;
  #woken = false;
  #current: AbortController | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Ends the current pause, or the next one when none is running. */
  wake(): void {
    this.#woken = true;
    this.#current?.abort();
  }

  async pause(ms: number): Promise<void> {
    const due = this.#timers.now() + ms;
    for (let now = this.#timers.now(); !this.#woken && now < due; ) {
      const tick = Math.min(TICK_MS, due - now);
      this.#current = new AbortController();
      await sleep(this.#timers, tick, this.#current.signal);
      const next = this.#timers.now();
      if (Math.abs(next - now) > 2 * TICK_MS) break;
      now = next;
    }
    this.#woken = false;
    this.#current = undefined;
  }
}
