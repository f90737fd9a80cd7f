import type { Logger } from "../../daemon/runtime/index.ts";
import type { AppUpdate } from "../shell.ts";

/** Hands on what has changed to whoever listens; one listener that fails keeps nothing from the others. */
export class Updates {
  readonly #logger: Logger;
  readonly #listeners = new Set<(update: AppUpdate) => void>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  subscribe(listener: (update: AppUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  publish(update: AppUpdate): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(update);
      } catch (error) {
        this.#logger.error("a change could not be shown", { error });
      }
    }
  }
}
