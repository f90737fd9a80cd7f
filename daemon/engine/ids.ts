import { randomBytes, randomFillSync } from "node:crypto";
import { ID_PREFIXES, type IdKind } from "../../protocol/index.ts";
import type { IdSource } from "../core/index.ts";

const POOL_BYTES = 4096;
const RANDOM_BYTES = 8;

/**
 * Ids with 32 hex digits of a version 7 UUID: they sort by the time they were made, also within one millisecond and
 * when the clock steps back, so that inserts land at the end of every index. Random bytes come from a pool, because
 * asking the system for a few at a time costs more than the rest of an id.
 */
export class TimeOrderedIds implements IdSource {
  readonly #now: () => number;
  readonly #pool = new Uint8Array(POOL_BYTES);
  #poolOffset = POOL_BYTES;
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
    return `${time}7${count}${this.#random()}`;
  }

  /** 16 hex digits, the first one carrying the variant bits of a UUID. */
  #random(): string {
    if (this.#poolOffset + RANDOM_BYTES > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#poolOffset = 0;
    }
    const bytes = Buffer.from(this.#pool.buffer, this.#poolOffset, RANDOM_BYTES);
    bytes[0] = ((bytes[0] as number) & 0x3f) | 0x80;
    this.#poolOffset += RANDOM_BYTES;
    return bytes.toString("hex");
  }
}
