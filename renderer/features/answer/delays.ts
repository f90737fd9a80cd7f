import { morningIn } from "../../../protocol/desktop/questions.ts";

const MINUTE_MS = 60_000;
/** The daemon puts nothing off for longer. */
export const LONGEST_DELAY_MS = 7 * 24 * 60 * MINUTE_MS;

export const DELAYS = ["tenMinutes", "hour", "tomorrow"] as const;
export type Delay = (typeof DELAYS)[number];

export function delayMs(delay: Delay, now: Date): number {
  switch (delay) {
    case "tenMinutes":
      return 10 * MINUTE_MS;
    case "hour":
      return 60 * MINUTE_MS;
    case "tomorrow":
      return morningIn(1, now.getTime()) - now.getTime();
  }
}

/** How long until a local time as a `datetime-local` field has it; undefined where it is past or too far off. */
export function delayUntil(local: string, now: Date): number | undefined {
  const ms = new Date(local).getTime() - now.getTime();
  return ms > 0 && ms <= LONGEST_DELAY_MS ? Math.round(ms) : undefined;
}

/** A time as a `datetime-local` field takes it. */
export function localFieldValue(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 16);
}
