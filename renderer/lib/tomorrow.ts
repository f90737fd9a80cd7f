const MORNING_HOUR = 9;

/** The next day's morning, in the human's own time. */
export function tomorrowMorning(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING_HOUR);
}
