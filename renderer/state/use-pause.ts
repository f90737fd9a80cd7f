import { morningIn } from "../../protocol/desktop/questions.ts";
import { useDesktop } from "./use-desktop.ts";

const HALF_HOUR_MS = 30 * 60_000;

/** Silence for a while: questions are kept and counted, and nothing pops up. */
export function usePause() {
  const desktop = useDesktop();
  const until = (atMs: number | null) =>
    void desktop.ask("pauseNotifications", { until: atMs === null ? null : new Date(atMs).toISOString() });
  return {
    forHalfHour: () => until(Date.now() + HALF_HOUR_MS),
    untilTomorrow: () => until(morningIn(1, Date.now())),
    end: () => until(null),
  };
}
