import type { Timers } from "../timers.ts";

/**
 * Runs one piece of work for any number of requests: at once when nothing happened lately, and otherwise together with all
 * that come meanwhile, at most once in `intervalMs`. Never twice at the same time.
 */
export class Lane {
  readonly #timers: Timers;
  readonly #intervalMs: number;
  readonly #work: () => Promise<void>;
  #timer: unknown;
  #running = false;
  #wanted = false;
  #lastAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @param work must not throw */
  constructor(timers: Timers, intervalMs: number, work: () => Promise<void>) {
    this.#timers = timers;
    this.#intervalMs = intervalMs;
    this.#work = work;
  }

  request(): void {
    this.#wanted = true;
    if (this.#running || this.#timer !== undefined || this.#closed) return;
    const waitMs = this.#lastAt + this.#intervalMs - this.#timers.now();
    if (waitMs <= 0) void this.#run();
    else {
      // The clock may have been set back; a lane never waits longer than its interval.
      this.#timer = this.#timers.setTimeout(() => void this.#run(), Math.min(waitMs, this.#intervalMs));
    }
  }

  close(): void {
    this.#closed = true;
    this.#timers.clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#running = true;
    this.#wanted = false;
    this.#lastAt = this.#timers.now();
    await this.#work();
    this.#running = false;
    if (this.#wanted && !this.#closed) this.request();
  }
}
