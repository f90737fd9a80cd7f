import type { Timers } from "../../client/index.ts";

export interface HeartbeatListener {
  /** `misses` in a row; `why` is what the latest probe was rejected with, undefined while it has not ended. */
  missed(misses: number, why: unknown): void;
  answered(): void;
}

export const BEAT_MS = 5000;

/**
 * Probes something every 5 s. A probe that is rejected, or has not ended when the next one is due, is a miss. After a sleep of
 * the machine nothing counts that was under way before.
 */
export class Heartbeat {
  readonly #timers: Timers;
  readonly #probe: () => Promise<void>;
  readonly #listener: HeartbeatListener;
  #timer: unknown;
  #misses = 0;
  #pending = false;
  /** Number of the latest probe. A late answer to an earlier one is still a sign of life; a late failure is no news. */
  #probes = 0;
  #dueAt = 0;
  #ended = false;

  constructor(timers: Timers, probe: () => Promise<void>, listener: HeartbeatListener) {
    this.#timers = timers;
    this.#probe = probe;
    this.#listener = listener;
    this.#arm();
  }

  /** Probes now rather than when it is due. */
  hurry(): void {
    if (this.#ended || this.#timer === undefined || this.#pending) return;
    this.#beat();
  }

  /** The machine goes to sleep. */
  pause(): void {
    this.#timers.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** It has woken up; everybody gets time to do the same. */
  resume(): void {
    if (this.#ended) return;
    this.pause();
    this.#misses = 0;
    this.#pending = false;
    this.#probes += 1;
    this.#arm();
  }

  end(): void {
    this.#ended = true;
    this.pause();
  }

  #arm(): void {
    this.#dueAt = this.#timers.now() + BEAT_MS;
    this.#timer = this.#timers.setTimeout(() => this.#due(), BEAT_MS);
  }

  #due(): void {
    // Nobody said so, but the machine has slept: this process was no more awake than the other one.
    const hasSlept = this.#timers.now() - this.#dueAt > 2 * BEAT_MS;
    if (hasSlept) this.#misses = 0;
    else if (this.#pending) this.#miss(undefined);
    if (this.#ended) return;
    this.#arm();
    this.#beat();
  }

  #beat(): void {
    this.#pending = true;
    this.#probes += 1;
    const probe = this.#probes;
    this.#probe().then(
      () => {
        if (this.#ended) return;
        if (probe === this.#probes) this.#pending = false;
        this.#misses = 0;
        this.#listener.answered();
      },
      (why: unknown) => {
        if (this.#ended || this.#timer === undefined || !this.#pending || probe !== this.#probes) return;
        this.#pending = false;
        this.#miss(why);
      },
    );
  }

  #miss(why: unknown): void {
    this.#misses += 1;
    this.#listener.missed(this.#misses, why);
  }
}
