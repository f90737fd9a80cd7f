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
    return this.#settling !== undefined || this.#clock.now() >= this.#next || this.#clock.jumped;
  }

  /** Settles what is due, together with everybody else who asks meanwhile. */
  async settleDue(): Promise<void> {
    if (!this.due) return;
    this.#settling ??= this.#settle(this.#clock.takeJump()).finally(() => {
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

  async #settle(jump: number): Promise<void> {
    if (jump !== 0) {
      this.#logger.warn("the clock jumped; leases move with it", { jumpMs: jump });
      await this.#run((ctx) => shiftLeases(ctx, jump));
      this.#next = 0;
    }
    do {
      // Deadlines noted while this runs must survive it.
      this.#next = Number.POSITIVE_INFINITY;
      try {
        const next = await this.#run(settle);
        this.note(next);
      } catch (error) {
        this.#next = 0;
        throw error;
      }
    } while (this.#next <= this.#clock.now());
  }
}
