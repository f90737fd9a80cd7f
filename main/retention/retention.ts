import type { AdminClient } from "../../client/index.ts";
import { sleep, type Timers } from "../../client/timers.ts";
import type { Logger } from "../../daemon/runtime/index.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Looked at so often, because a timer of a day knows nothing of a machine that sleeps. */
const LOOK_MS = 15 * 60_000;
/** Not in the middle of starting. */
const FIRST_MS = 5 * 60_000;

export interface RetentionOptions {
  readonly timers: Timers;
  readonly logger: Logger;
  /** Days after which finished things are removed; 0 keeps them for ever. */
  days(): number;
  admin(): AdminClient | undefined;
}

/** Once a day removes from every scope what was finished long enough ago. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #ending = new AbortController();
  #dueAt: number;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#dueAt = options.timers.now() + FIRST_MS;
    void this.#run();
  }

  close(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { timers } = this.#options;
    while (!this.#ending.signal.aborted) {
      await sleep(timers, Math.min(LOOK_MS, Math.max(1, this.#dueAt - timers.now())), this.#ending.signal);
      if (this.#ending.signal.aborted || timers.now() < this.#dueAt) continue;
      const isDone = await this.#prune();
      this.#dueAt = timers.now() + (isDone ? DAY_MS : LOOK_MS);
    }
  }

  /** @returns false when it has to be tried again before tomorrow */
  async #prune(): Promise<boolean> {
    const { timers, logger, days, admin } = this.#options;
    const keptDays = days();
    if (keptDays === 0) return true;
    const client = admin();
    if (!client) return false;
    const before = new Date(timers.now() - keptDays * DAY_MS).toISOString();
    const { signal } = this.#ending;
    try {
      for (const { scopeId } of await client.listScopes({}, { signal })) {
        const removed = await client.scope(scopeId).pruneScope({ before, execute: true }, { signal });
        logger.info("removed what was finished long ago", { scopeId, before, removed });
      }
      return true;
    } catch (error) {
      if (!signal.aborted) logger.warn("what was finished long ago could not be removed", { error });
      return false;
    }
  }
}
