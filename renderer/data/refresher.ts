/** Runs something later; what it returns takes that back. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

export const later: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

export interface RefresherOptions {
  /** Reads one thing again. Without it the list is read whatever was touched. */
  readonly one?: (id: string) => Promise<void>;
  /** Reads the list again, so far that `touched` are in it. */
  readonly all: (touched: ReadonlySet<string>) => Promise<void>;
  /** Told of what `one` and `all` fail with; the next touch tries again. */
  readonly failed: (error: unknown) => void;
  readonly schedule?: Schedule;
  readonly delayMs?: number;
}

/** More things than these are read as a list: requests are what is scarce, not rows. */
export const MOST_BY_ID = 8;
const DELAY_MS = 250;

/**
 * Reads again what events have touched. Touches gather for a moment; few things are read one by one, many all together,
 * and there is never more than one round under way, however fast events come.
 */
export class Refresher {
  readonly #options: RefresherOptions;
  readonly #touched = new Set<string>();
  #everything = false;
  #cancel: (() => void) | undefined;
  #running = false;

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  touch(ids: Iterable<string>): void {
    for (const id of ids) this.#touched.add(id);
    if (this.#touched.size > 0) this.#plan();
  }

  touchEverything(): void {
    this.#everything = true;
    this.#plan();
  }

  /** Forgets what was touched, e.g. because everything was just read. */
  clear(): void {
    this.#touched.clear();
    this.#everything = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #plan(): void {
    if (this.#cancel || this.#running) return;
    const { schedule = later, delayMs = DELAY_MS } = this.#options;
    this.#cancel = schedule(() => {
      this.#cancel = undefined;
      void this.#round();
    }, delayMs);
  }

  async #round(): Promise<void> {
    const { one, all } = this.#options;
    const ids = new Set(this.#touched);
    const everything = this.#everything || ids.size > MOST_BY_ID;
    this.#touched.clear();
    this.#everything = false;
    this.#running = true;
    try {
      if (everything || !one) await all(ids);
      else await Promise.all([...ids].map(one));
    } catch (error) {
      this.#options.failed(error);
    } finally {
      this.#running = false;
      if (this.#everything || this.#touched.size > 0) this.#plan();
    }
  }
}
