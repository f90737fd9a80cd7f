import { Offered, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

/** Electron's `powerMonitor`. Specs emit its events: `powerMonitor.emit("suspend")`. */
class PowerMonitor extends OfferedEmitter {
  readonly onBatteryPower = false;

  getSystemIdleState(_idleThresholdSeconds: number): "active" {
    return "active";
  }

  getSystemIdleTime(): number {
    return 0;
  }

  isOnBatteryPower(): boolean {
    return this.onBatteryPower;
  }
}

/** Electron's `powerSaveBlocker`. */
class PowerSaveBlocker extends Offered {
  readonly #started = new Set<number>();
  #count = 0;

  start(type: string): number {
    recordings.add("powerSaveBlocker", "start", type);
    this.#started.add(++this.#count);
    return this.#count;
  }

  stop(id: number): boolean {
    recordings.add("powerSaveBlocker", "stop", id);
    return this.#started.delete(id);
  }

  isStarted(id: number): boolean {
    return this.#started.has(id);
  }
}

export const powerMonitor: PowerMonitor = new PowerMonitor();
export const powerSaveBlocker: PowerSaveBlocker = new PowerSaveBlocker();
