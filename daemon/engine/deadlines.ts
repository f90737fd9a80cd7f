import { type Context, settle, shiftLeases } from "../core/index.ts";
import type { Logger } from "../runtime/index.ts";
import type { Clock } from "./clock.ts";

const TICK_MS = 500;

type RunInTransaction = <T>(work: (ctx: Context) => Promise<T>) => Promise<T>;

/**
 * Knows when something stored falls due, so that a call only has to compare two numbers. The truth is in the store:
 * after a start everything counts as due once, and the first look tells what comes next.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #run: RunInTransaction;
  #next = 0;
  /** Taken off the clock, and not yet stored. */
  #jump = 0;
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock, logger: Logger, run: RunInTransaction) {
    this.#clock = clock;
    this.#logger = logger;
    this.#run = run;
  }

  /** Something falls due at `at`. Said inside a transaction; if that rolls back, a look too many does no harm. */
  note(at: number): void {
    if (at < this.#next) this.#next = at;
  }

  /** Whether something may have fallen due, or is being settled just now. */
  get due(): boolean {
    return this.#settling !== undefined || this.#clock.now() >= this.#next || this.#jumped;
  }

  get #jumped(): boolean {
    return this.#clock.jumped || this.#jump !== 0;
  }

  /** Settles what is due, together with everybody else who asks meanwhile. */
  async settleDue(): Promise<void> {
    if (!this.due) return;
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
    });
    await this.#settling;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.settleDue().catch((error: unknown) =>
        this.#logger.error("settling deadlines failed", { error: String(error) }),
      );
    }, TICK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #settle(): Promise<void> {
    do {
      if (this.#jumped) await this.#followJump();
      // Deadlines noted while this runs must survive it.
      this.#next = Number.POSITIVE_INFINITY;
      try {
        const next = await this.#run(settle);
        this.note(next);
      } catch (error) {
        this.#next = 0;
        throw error;
      }
    } while (this.#next <= this.#clock.now() || this.#jumped);
  }

  /** Takes the jump in the transaction that stores it: a call before that lives in the old time, one after in the new. */
  async #followJump(): Promise<void> {
    await this.#run((ctx) => {
      this.#jump += this.#clock.takeJump();
      return shiftLeases(ctx, this.#jump);
    });
    this.#logger.warn("the clock jumped; leases move with it", { jumpMs: this.#jump });
    this.#jump = 0;
  }
}
