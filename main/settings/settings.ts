import { type Locale, localeFor } from "../../i18n/index.ts";
import type { DesktopNotice, DesktopSettings, DesktopSettingsPatch } from "../../protocol/desktop/index.ts";
import { isIntercomError } from "../../protocol/errors.ts";
import type { SettingsFile } from "./settings-file.ts";
import type { Shortcut } from "./shortcut.ts";

export interface SettingsOptions {
  readonly file: Pick<SettingsFile, "current" | "change" | "movedAside">;
  readonly shortcut: Pick<Shortcut, "active" | "set">;
  /** @throws {Error} where the operating system does not let us */
  setLoginItem(startAtLogin: boolean): void;
  setTheme(theme: DesktopSettings["theme"]): void;
  /** Languages the operating system is set to, best first. */
  systemLanguages(): readonly string[];
  onChange(settings: DesktopSettings, locale: Locale): void;
  notice(notice: DesktopNotice): void;
}

/** Settings together with what they do. A change is made as a whole or not at all. */
export class Settings {
  readonly #options: SettingsOptions;

  constructor(options: SettingsOptions) {
    this.#options = options;
  }

  /** Does what the settings say, at the start of the app. What cannot be had is told and not insisted on. */
  begin(): void {
    const { file, shortcut, setTheme, notice } = this.#options;
    const { current, movedAside } = file;
    if (movedAside) notice({ id: "settings-moved-aside", code: "settings-moved-aside", values: { ...movedAside } });
    setTheme(current.theme);
    try {
      shortcut.set(current.shortcut);
    } catch (error) {
      if (!isIntercomError(error)) throw error;
      this.#tellShortcutTaken(current.shortcut);
    }
    this.#tell();
  }

  /** @throws {IntercomError} INVALID_ARGUMENT or CONFLICT for the shortcut, INTERNAL when nothing can be written */
  change(patch: DesktopSettingsPatch): DesktopSettings {
    const { file, shortcut, setLoginItem, setTheme, notice } = this.#options;
    const before = file.current;
    const lastShortcut = shortcut.active;
    const startAtLogin = patch.startAtLogin ?? before.startAtLogin;
    if (patch.shortcut !== undefined) this.#setShortcut(patch.shortcut);
    try {
      if (startAtLogin !== before.startAtLogin) setLoginItem(startAtLogin);
      file.change(patch);
    } catch (error) {
      if (patch.shortcut !== undefined) shortcut.set(lastShortcut);
      if (startAtLogin !== before.startAtLogin) setLoginItem(before.startAtLogin);
      if (isIntercomError(error) && error.details?.reason === "disk_full") {
        notice({ id: "disk-full", code: "disk-full", values: { file: String(error.details.file) } });
      }
      throw error;
    }
    setTheme(file.current.theme);
    this.#tell();
    return file.current;
  }

  /** The language in use. */
  locale(): Locale {
    const { locale } = this.#options.file.current;
    return locale === "system" ? localeFor(this.#options.systemLanguages()) : locale;
  }

  #setShortcut(accelerator: string | null): void {
    try {
      this.#options.shortcut.set(accelerator);
    } catch (error) {
      if (isIntercomError(error, "CONFLICT")) this.#tellShortcutTaken(accelerator);
      throw error;
    }
  }

  #tellShortcutTaken(accelerator: string | null): void {
    this.#options.notice({
      id: "shortcut-taken",
      code: "shortcut-taken",
      values: { shortcut: accelerator ?? "", active: this.#options.shortcut.active ?? "" },
    });
  }

  #tell(): void {
    this.#options.onChange(this.#options.file.current, this.locale());
  }
}
