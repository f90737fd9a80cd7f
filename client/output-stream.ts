import { isIntercomError, LIMITS, type OutputValue } from "../protocol/index.ts";
import { backoffMs } from "./backoff.ts";
import { isTransient } from "./failure.ts";
import type { OperationMethod } from "./methods.ts";
import { sleep, type Timers } from "./timers.ts";

/** A value with its position, or the news that values up to a position are gone. Hand `sequence` back as `after` to continue. */
export type FollowedOutput =
  | { readonly sequence: number; readonly output: OutputValue; readonly resync?: undefined }
  | { readonly sequence: number; readonly resync: true; readonly output?: undefined };

export interface FollowOutputOptions {
  readonly streamId: string;
  /** Sequence of the last value already known, 0 for all there are; without it only new values come. */
  readonly after?: number;
  /** Ends the iteration quietly. */
  readonly signal?: AbortSignal;
}

interface Pace {
  readonly timers: Timers;
  readonly random: () => number;
}

const RETRY = { baseMs: 500, maxMs: 10_000 };
/** Least time between two empty answers: a daemon that is stopping may cut the wait short. */
const IDLE_MS = 1_000;
/** Least time between two other answers: 400 calls a minute leave some of those a credential has to others. */
const BUSY_MS = 150;

/** The values of one stream from a position on, across failures and restarts of the daemon. */
export async function* followOutput(
  listValues: OperationMethod<"listOutputValues">,
  { timers, random }: Pace,
  { streamId, after, signal }: FollowOutputOptions,
): AsyncGenerator<FollowedOutput, void, undefined> {
  let position = after;
  let confirmed = false;
  for (let failures = 0; !signal?.aborted; ) {
    try {
      if (position === undefined) {
        position = (await listValues({ streamId, limit: 1 }, { signal })).currentSequence;
        if (confirmed) yield { resync: true, sequence: position };
      }
      const asked = timers.now();
      const input = { streamId, after: position, limit: LIMITS.outputPage, waitMs: LIMITS.waitMaxMs };
      const { values, resyncRequired, minimumCursor } = await listValues(input, { signal });
      confirmed = true;
      failures = 0;
      if (resyncRequired) {
        // What the stream still has comes next, so that no more is missed than has to be.
        position = minimumCursor;
        yield { resync: true, sequence: position };
      }
      for (const output of values) {
        position = output.sequence;
        yield { sequence: position, output };
      }
      if (values.length === LIMITS.outputPage) continue;
      const leastMs = values.length > 0 || resyncRequired ? BUSY_MS : IDLE_MS;
      await sleep(timers, leastMs - (timers.now() - asked), signal);
    } catch (error) {
      if (signal?.aborted) return;
      // A position that was good and now is not: the daemon came back with an older history.
      if (confirmed && isIntercomError(error, "INVALID_ARGUMENT")) position = undefined;
      else if (!isTransient(error)) throw error;
      failures += 1;
      await sleep(timers, Math.max(retryAfterMs(error), backoffMs(failures, RETRY, random)), signal);
    }
  }
}

/** How long the daemon wants to be left alone. */
function retryAfterMs(error: unknown): number {
  const asked = isIntercomError(error, "BACKPRESSURE") ? error.details?.retryAfterMs : undefined;
  return typeof asked === "number" ? asked : 0;
}
