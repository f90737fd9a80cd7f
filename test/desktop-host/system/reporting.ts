import { Offered, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

/** Electron's `crashReporter`: it only remembers how it was started. */
class CrashReporter extends Offered {
  start(options: object): void {
    recordings.add("crashReporter", "start", options);
  }

  getUploadToServer(): boolean {
    return false;
  }

  addExtraParameter(key: string, value: string): void {
    recordings.add("crashReporter", "addExtraParameter", key, value);
  }
}

/** Electron's `systemPreferences` as it is on Linux, where it has next to nothing. */
class SystemPreferences extends OfferedEmitter {
  getAnimationSettings(): {
    shouldRenderRichAnimation: boolean;
    scrollAnimationsEnabledBySystem: boolean;
    prefersReducedMotion: boolean;
  } {
    return { shouldRenderRichAnimation: true, scrollAnimationsEnabledBySystem: true, prefersReducedMotion: false };
  }

  getAccentColor(): string {
    return "3584e4ff";
  }
}

export const crashReporter: CrashReporter = new CrashReporter();
export const systemPreferences: SystemPreferences = new SystemPreferences();
