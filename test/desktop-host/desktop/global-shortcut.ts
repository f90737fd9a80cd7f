import { Offered } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

const registered = new Map<string, () => void>();
/** Accelerators another program has. */
const taken = new Set<string>();

/** Electron's `globalShortcut`. */
class GlobalShortcut extends Offered {
  register(accelerator: string, callback: () => void): boolean {
    recordings.add("globalShortcut", "register", accelerator);
    if (taken.has(accelerator) || registered.has(accelerator)) return false;
    registered.set(accelerator, callback);
    return true;
  }

  registerAll(accelerators: string[], callback: () => void): void {
    for (const accelerator of accelerators) this.register(accelerator, callback);
  }

  isRegistered(accelerator: string): boolean {
    return registered.has(accelerator);
  }

  unregister(accelerator: string): void {
    recordings.add("globalShortcut", "unregister", accelerator);
    registered.delete(accelerator);
  }

  unregisterAll(): void {
    recordings.add("globalShortcut", "unregisterAll");
    registered.clear();
  }
}

export const globalShortcut: GlobalShortcut = new GlobalShortcut();

/** The hand of the person at the keyboard, for specs. */
export const shortcutHand = {
  /** @throws when the app has not registered it */
  press(accelerator: string): void {
    const callback = registered.get(accelerator);
    if (!callback) throw new Error(`Nothing is registered for ${accelerator}.`);
    callback();
  },
  /** From now on another program has it: registering fails. */
  take(accelerator: string): void {
    taken.add(accelerator);
  },
};
