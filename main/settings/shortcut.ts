import { IntercomError } from "../../protocol/errors.ts";
import type { Electron } from "../ports/electron.ts";

/** The one global shortcut of the app. When a new one cannot be had, the last that worked stays. */
export class Shortcut {
  readonly #registry: Pick<Electron["globalShortcut"], "register" | "unregister">;
  readonly #onPressed: () => void;
  #active: string | null = null;

  constructor(registry: Pick<Electron["globalShortcut"], "register" | "unregister">, onPressed: () => void) {
    this.#registry = registry;
    this.#onPressed = onPressed;
  }

  /** What works at the moment. */
  get active(): string | null {
    return this.#active;
  }

  /**
   * @param accelerator as Electron writes it; null for none
   * @throws {IntercomError} CONFLICT where another program has it, INVALID_ARGUMENT where it is none
   */
  set(accelerator: string | null): void {
    const before = this.#active;
    if (accelerator === before) return;
    if (before !== null) this.#registry.unregister(before);
    this.#active = null;
    if (accelerator === null) return;
    try {
      this.#register(accelerator);
    } catch (error) {
      if (before !== null) this.#register(before);
      throw error;
    }
  }

  #register(accelerator: string): void {
    let isOurs: boolean;
    try {
      isOurs = this.#registry.register(accelerator, this.#onPressed);
    } catch (error) {
      throw new IntercomError(
        "INVALID_ARGUMENT",
        `shortcut: expected keys such as CommandOrControl+Shift+I, got ${accelerator}`,
        { reason: "no_shortcut" },
        { cause: error },
      );
    }
    if (!isOurs) {
      throw new IntercomError("CONFLICT", `shortcut: another program already uses ${accelerator}`, {
        reason: "shortcut_taken",
        accelerator,
      });
    }
    this.#active = accelerator;
  }
}
