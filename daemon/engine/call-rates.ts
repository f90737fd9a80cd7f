import { IntercomError, type Operation } from "../../protocol/index.ts";
import type { Caller } from "../core/index.ts";

const MINUTE_MS = 60_000;

/** Counts calls per caller and minute of the clock, for operations that allow only so many. A restart begins anew. */
export class CallRates {
  readonly #now: () => number;
  #minute = 0;
  #counts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws {IntercomError} BACKPRESSURE with `details.reason` `rate` when the caller has used up this minute */
  count({ limit, of }: NonNullable<Operation["perMinute"]>, caller: Caller | undefined): void {
    const key = keyOf(caller);
    if (key === undefined || !of.some((kind) => kind === caller?.kind)) return;
    const now = this.#now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#counts = new Map();
    }
    const bucket = `${key} ${limit}`;
    const count = (this.#counts.get(bucket) ?? 0) + 1;
    if (count > limit) {
      const retryAfterSeconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
      throw new IntercomError("BACKPRESSURE", `More than ${limit} calls in this minute`, {
        reason: "rate",
        limit,
        retryAfterSeconds,
      });
    }
    this.#counts.set(bucket, count);
  }
}

function keyOf(caller: Caller | undefined): string | undefined {
  if (caller?.kind === "agent") return `agent ${caller.agentNo}`;
  return caller?.kind === "principal" ? `principal ${caller.principalNo}` : undefined;
}
