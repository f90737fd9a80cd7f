import type { DaemonOptions } from "../../daemon/index.ts";

type Clock = NonNullable<DaemonOptions["clock"]>;

/** A wall clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #now: number;
  #jump = 0;

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  get jumped(): boolean {
    return this.#jump !== 0;
  }

  takeJump(): number {
    const jump = this.#jump;
    this.#jump = 0;
    return jump;
  }

  /** Time passes. Use `TestDaemon.advance`, which also lets the daemon notice. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** Somebody sets the clock, or the machine wakes from sleep. */
  jump(ms: number): void {
    this.#now += ms;
    this.#jump += ms;
  }

  /** Instant of the present moment as the protocol writes it, optionally `ms` later. */
  instant(ms = 0): string {
    return new Date(this.#now + ms).toISOString();
  }
}
