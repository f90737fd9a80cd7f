const BASE_MS = 250;
const LONGEST_MS = 30_000;

/**
 * The pause before the next start after so many failures one after the other: anything up to a ceiling that doubles each
 * time, so that two programs that fight over something do not stay in step.
 */
export function restartDelayMs(failures: number, random: () => number): number {
  return Math.round(random() * Math.min(LONGEST_MS, BASE_MS * 2 ** failures));
}

const WINDOW_MS = 5 * 60_000;
const MOST_IN_WINDOW = 5;

/** Failed starts and crashes: how many in a row, and whether it is time to give up. */
export class Failures {
  #row = 0;
  #at: number[] = [];

  /** In a row, without a while of good work in between. */
  get count(): number {
    return this.#row;
  }

  /** @returns true when there were too many lately for another attempt to make sense */
  add(now: number): boolean {
    this.#row += 1;
    // A clock that was set back must not let old failures weigh for ever.
    this.#at = [...this.#at.filter((at) => at <= now && now - at < WINDOW_MS), now];
    return this.#at.length >= MOST_IN_WINDOW;
  }

  /** The daemon has worked for a while: the next pause is a short one again. */
  settled(): void {
    this.#row = 0;
  }

  /** The human wants it tried from the beginning. */
  forget(): void {
    this.#row = 0;
    this.#at = [];
  }
}
