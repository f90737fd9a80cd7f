import { IntercomError } from "../../protocol/index.ts";

const MINUTE_MS = 60_000;
const FAILURES_PER_MINUTE = 20;

/** Counts attempts to sign in that failed. Codes cannot be guessed anyway; nobody needs to be answered as fast as they ask. */
export class Attempts {
  readonly #now: () => number;
  #minute = 0;
  #failures = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws {IntercomError} BACKPRESSURE with `details.reason` `rate` when too many have failed in this minute */
  check(): void {
    const now = this.#now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#failures = 0;
    }
    if (this.#failures < FAILURES_PER_MINUTE) return;
    throw new IntercomError("BACKPRESSURE", "Too many attempts to sign in have failed; wait a minute", {
      reason: "rate",
      limit: FAILURES_PER_MINUTE,
      retryAfterSeconds: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000),
    });
  }

  failed(): void {
    this.#failures += 1;
  }
}
