import { tomorrowMorning } from "../lib/tomorrow.ts";
import { useDesktop } from "./use-desktop.ts";

const HALF_HOUR_MS = 30 * 60_000;

/** Silence for a while: questions are kept and counted, and nothing pops up. */
export function usePause() {
  const desktop = useDesktop();
  const until = (instant: Date | null) =>
    void desktop.ask("pauseNotifications", { until: instant === null ? null : instant.toISOString() });
  return {
    forHalfHour: () => until(new Date(Date.now() + HALF_HOUR_MS)),
    untilTomorrow: () => until(tomorrowMorning(new Date())),
    end: () => until(null),
  };
}
