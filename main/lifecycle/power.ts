import type { Electron } from "../ports/electron.ts";

/** Whom sleep concerns. */
export interface Sleeper {
  suspend?(): void;
  resume(): void;
}

/** Tells everybody when the machine goes to sleep and when it has woken up. */
export function watchPower(powerMonitor: Pick<Electron["powerMonitor"], "on">, sleepers: readonly Sleeper[]): void {
  powerMonitor.on("suspend", () => {
    for (const sleeper of sleepers) sleeper.suspend?.();
  });
  powerMonitor.on("resume", () => {
    for (const sleeper of sleepers) sleeper.resume();
  });
}
