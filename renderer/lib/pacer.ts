/** What {@link Pacer} needs of time. */
export interface PacerClock {
  now(): number;
  /** Calls back once after `ms`. */
  later(callback: () => void, ms: number): void;
}

export const pageClock: PacerClock = {
  now: () => performance.now(),
  later: (callback, ms) => {
    setTimeout(callback, ms);
  },
};

/**
 * Hands on what arrives in batches, at most one each `intervalMs`. What comes after a pause is handed on at once, so that a
 * single question is not held up for the sake of a flood there is not.
 */
export class Pacer<T> {
  readonly #flush: (items: readonly T[]) => void;
  readonly #intervalMs: number;
  readonly #clock: PacerClock;
  #waiting: T[] = [];
  #scheduled = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(flush: (items: readonly T[]) => void, intervalMs: number, clock: PacerClock = pageClock) {
    this.#flush = flush;
    this.#intervalMs = intervalMs;
    this.#clock = clock;
  }

  push(item: T): void {
    this.#waiting.push(item);
    if (this.#scheduled) return;
    const restMs = this.#lastAt + this.#intervalMs - this.#clock.now();
    if (restMs <= 0) {
      this.#hand();
      return;
    }
    this.#scheduled = true;
    this.#clock.later(() => {
      this.#scheduled = false;
      this.#hand();
    }, restMs);
  }

  #hand(): void {
    const items = this.#waiting;
    this.#waiting = [];
    this.#lastAt = this.#clock.now();
    this.#flush(items);
  }
}
