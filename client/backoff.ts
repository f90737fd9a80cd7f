export interface Backoff {
  /** Upper bound of the first delay. */
  readonly baseMs: number;
  /** No delay is longer. */
  readonly maxMs: number;
}

/**
 * Delay before retry number `attempt` (from 1): doubles each time, and is drawn from the upper half of its range so that
 * clients which lost the same daemon do not come back in one wave.
 */
export function backoffMs(attempt: number, { baseMs, maxMs }: Backoff, random: () => number): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
  return Math.round(ceiling * (0.5 + random() / 2));
}
