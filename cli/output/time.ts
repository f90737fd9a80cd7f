const UNITS: readonly (readonly [ms: number, name: string, plural: string])[] = [
  [86_400_000, "day", "days"],
  [3_600_000, "h", "h"],
  [60_000, "min", "min"],
  [1000, "s", "s"],
];

/** A length of time in its largest sensible unit: `12 s`, `3 min`, `2 days`. */
export function duration(ms: number): string {
  for (const [size, name, plural] of UNITS) {
    const n = Math.floor(ms / size);
    if (n >= 1) return `${n} ${n === 1 ? name : plural}`;
  }
  return "0 s";
}

/** How long something took: `0.4 s`, `12 s`, `3 min`. */
export function seconds(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms);
}

/** An instant as seen from `now`: `just now`, `3 min ago`, `in 2 h`. */
export function relative(instant: string, now: number): string {
  const difference = Date.parse(instant) - now;
  if (Number.isNaN(difference)) return instant;
  if (Math.abs(difference) < 1000) return difference > 0 ? "now" : "just now";
  return difference > 0 ? `in ${duration(difference)}` : `${duration(-difference)} ago`;
}

/** The time of day where the reader is, with the date when it is another day. */
export function clockTime(instant: string, now: number): string {
  const date = new Date(instant);
  const time = date.toLocaleTimeString("en-GB");
  if (date.toDateString() === new Date(now).toDateString()) return time;
  return `${date.toLocaleDateString("sv-SE")} ${time}`;
}

const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)?$/;
const FACTORS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads `90s`, `5m`, `1.5h`, `2d`, `250ms`; a bare number is seconds. `undefined` when it is none of these. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION.exec(text.trim());
  if (!match) return undefined;
  return Math.round(Number(match[1]) * (FACTORS[match[2] ?? "s"] as number));
}
