import { randomBytes, randomUUID } from "node:crypto";
import { ID_PREFIXES, type IdKind } from "../../protocol/index.ts";
import type { IdSource } from "../core/index.ts";

/**
 * Ids with 32 hex digits of a version 7 UUID: they sort by the time they were made, also within one millisecond and
 * when the clock steps back, so that inserts land at the end of every index.
 */
export class TimeOrderedIds implements IdSource {
  readonly #now: () => number;
  #lastMs = 0;
  #counter = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  next(kind: IdKind): string {
    return ID_PREFIXES[kind] + this.#uuid();
  }

  token(): string {
    return randomBytes(32).toString("base64url");
  }

  #uuid(): string {
    const now = this.#now();
    if (now > this.#lastMs) {
      this.#lastMs = now;
      this.#counter = 0;
    } else {
      this.#counter += 1;
      if (this.#counter > 0xfff) {
        this.#lastMs += 1;
        this.#counter = 0;
      }
    }
    const time = this.#lastMs.toString(16).padStart(12, "0");
    const count = this.#counter.toString(16).padStart(3, "0");
    return `${time}7${count}${randomHalf()}`;
  }
}

/** 16 hex digits, the first one carrying the variant bits. The library keeps random bytes in store, so this is cheap. */
function randomHalf(): string {
  const uuid = randomUUID();
  return uuid.slice(19, 23) + uuid.slice(24);
}
