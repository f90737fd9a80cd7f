const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Largest unit first; a span is told in the first one it fills. */
const UNITS = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
  ["second", SECOND],
] as const;

const relative = new Map<string, Intl.RelativeTimeFormat>();

function relativeFormat(locale: string): Intl.RelativeTimeFormat {
  let format = relative.get(locale);
  if (!format) {
    format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
    relative.set(locale, format);
  }
  return format;
}

/** How long ago, or in how long: "now", "3 min. ago", "yesterday"; a date when it is more than a week off. */
export function relativeTime(at: string, nowMs: number, locale: string): string {
  const differenceMs = Date.parse(at) - nowMs;
  const size = Math.abs(differenceMs);
  if (size > 7 * DAY) return new Date(at).toLocaleDateString(locale, { dateStyle: "medium" });
  // Seconds that run are restless to look at, and say nothing a human acts on.
  if (size < MINUTE) return relativeFormat(locale).format(0, "second");
  const [unit, ms] = UNITS.find(([, length]) => size >= length) ?? UNITS[3];
  return relativeFormat(locale).format(Math.trunc(differenceMs / ms), unit);
}

/** Date and time in full, for tooltips and the audit. */
export function fullTime(at: string, locale: string): string {
  return new Date(at).toLocaleString(locale, { dateStyle: "medium", timeStyle: "medium" });
}

/** Time of day, with the date when it is not today. */
export function clockTime(at: string, nowMs: number, locale: string): string {
  const date = new Date(at);
  const sameDay = date.toDateString() === new Date(nowMs).toDateString();
  return sameDay
    ? date.toLocaleTimeString(locale, { timeStyle: "short" })
    : date.toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/** A span of time in its two largest units, such as "1 hr 20 min"; nothing below a second. */
export function duration(ms: number, locale: string): string {
  let rest = Math.max(0, Number.isFinite(ms) ? ms : 0);
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(rest / length);
    if (count === 0 && parts.length === 0 && unit !== "second") continue;
    rest -= count * length;
    if (count > 0 || parts.length === 0) {
      parts.push(count.toLocaleString(locale, { style: "unit", unit, unitDisplay: "short" }));
    }
    if (parts.length === 2 || unit === "minute") break;
  }
  return parts.join(" ");
}
