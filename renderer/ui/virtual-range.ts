import { defaultRangeExtractor, type Range } from "@tanstack/react-virtual";

/** The rows in sight, and the one at `always` wherever it is; below 0 there is none. */
export function windowWith(range: Range, always: number): number[] {
  const rows = defaultRangeExtractor(range);
  if (always < 0 || always >= range.count || rows.includes(always)) return rows;
  return [...rows, always].sort((left, right) => left - right);
}
