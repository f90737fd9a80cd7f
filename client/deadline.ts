import type { IntercomError } from "../protocol/index.ts";
import { failure } from "./failure.ts";
import { LONGEST_TIMER_MS, type Timers } from "./timers.ts";

/** One signal for "the caller gave up" and "time is over", which remembers which of the two it was. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timers: Timers;
  readonly #parents: readonly AbortSignal[];
  readonly #timer: unknown;
  readonly #end: number;
  #timedOut = false;

  /** @param timeoutMs Milliseconds from now; undefined for no limit. */
  constructor(timers: Timers, timeoutMs: number | undefined, ...parents: readonly (AbortSignal | undefined)[]) {
    this.#timers = timers;
    this.#parents = parents.filter((parent) => parent !== undefined);
    this.#end = timeoutMs === undefined ? Number.POSITIVE_INFINITY : timers.now() + timeoutMs;
    if (timeoutMs !== undefined) {
      this.#timer = timers.setTimeout(() => this.#expire(), Math.min(timeoutMs, LONGEST_TIMER_MS));
    }
    for (const parent of this.#parents) parent.addEventListener("abort", this.#abort, { once: true });
    if (this.#parents.some((parent) => parent.aborted)) this.#abort();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return Math.max(0, this.#end - this.#timers.now());
  }

  /** The error to throw once the signal has aborted. */
  error(what: string, facts?: Readonly<Record<string, unknown>>): IntercomError {
    if (this.#timedOut) return failure("timeout", `${what} took too long`, undefined, facts);
    return failure("aborted", `${what} was aborted`, this.#controller.signal.reason, facts);
  }

  /** Ends the time limit; the parent signals still count. */
  disarm(): void {
    this.#timers.clearTimeout(this.#timer);
  }

  dispose(): void {
    this.disarm();
    for (const parent of this.#parents) parent.removeEventListener("abort", this.#abort);
  }

  readonly #abort = (): void => {
    this.#controller.abort(this.#parents.find((parent) => parent.aborted)?.reason);
  };

  #expire(): void {
    if (this.#controller.signal.aborted) return;
    this.#timedOut = true;
    this.#controller.abort();
  }
}
