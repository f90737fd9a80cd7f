import { InvalidArgumentError } from "commander";
import { parseDuration } from "./output/time.ts";

/** A length of time such as `90s` or `5m`, in milliseconds. */
export function durationMs(text: string): number {
  const value = parseDuration(text);
  if (value === undefined) throw new InvalidArgumentError("Expected a duration such as 30s, 5m, 2h or 1d.");
  return value;
}

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

export const port = wholeNumber(0, 65_535);

/** Collects an option that may be given several times, or as a comma-separated list. */
export function list(text: string, previous: readonly string[] = []): string[] {
  return [...previous, ...text.split(",").filter((entry) => entry !== "")];
}

/** Collects an option that may be given several times, each value as it is. */
export function repeated(text: string, previous: readonly string[] = []): string[] {
  return [...previous, text];
}

/** Drops the entries that were not given, which is what strict inputs want. */
export function given<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
