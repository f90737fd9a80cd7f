import { morningIn } from "../../protocol/desktop/index.ts";

const MINUTE_MS = 60_000;
/** Until then it is still the evening before, for whoever is up. */
const DAY_BEGINS_HOUR = 4;

/** How long something is put off. Menus keep these and not instants: they may be chosen from long after they were made. */
export type Delay = "tenMinutes" | "halfHour" | "hour" | "tomorrow";

/** Milliseconds from `now` on. `tomorrow` ends at nine o'clock of the next morning, in the time zone of this machine. */
export function delayMs(delay: Delay, now: number): number {
  switch (delay) {
    case "tenMinutes":
      return 10 * MINUTE_MS;
    case "halfHour":
      return 30 * MINUTE_MS;
    case "hour":
      return 60 * MINUTE_MS;
    case "tomorrow":
      return nextMorning(now) - now;
  }
}

function nextMorning(now: number): number {
  return morningIn(new Date(now).getHours() < DAY_BEGINS_HOUR ? 0 : 1, now);
}

/** The time of day, with the day where it is not today's. */
export function clockTime(at: number, now: number, locale: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  const day: Intl.DateTimeFormatOptions = isToday ? {} : { weekday: "short" };
  return new Intl.DateTimeFormat(locale, { ...day, hour: "numeric", minute: "2-digit" }).format(at);
}
