/** What has been read of one source, newest first. */
export interface Source<T> {
  readonly items: readonly T[];
  /** Where to go on; undefined when all has been read. */
  readonly nextCursor: string | undefined;
}

/**
 * Several lists that are each read newest first in pages, as one. What is older than the oldest item read of a list that has
 * more is held back: something that is still to be read may belong before it.
 */
export function mergeSources<T>(sources: readonly Source<T>[], instantOf: (item: T) => string): readonly T[] {
  const horizon = sources.reduce((latest, { items, nextCursor }) => {
    const oldest = items.at(-1);
    const at = nextCursor !== undefined && oldest !== undefined ? instantOf(oldest) : "";
    return [latest, at].sort().at(-1) as string;
  }, "");
  return sources
    .flatMap(({ items }) => items)
    .filter((item) => instantOf(item) >= horizon)
    .sort((left, right) => (instantOf(left) < instantOf(right) ? 1 : -1));
}
