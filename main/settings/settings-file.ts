import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { writePrivateFile } from "../../daemon/runtime/private-file.ts";
import { type DesktopSettings, type DesktopSettingsPatch, desktopSettings } from "../../protocol/desktop/index.ts";
import { IntercomError, isIntercomError } from "../../protocol/errors.ts";
import { parseInput } from "../../protocol/parse.ts";

/** A file of settings that was of no use, and where it is now. */
export interface MovedAside {
  readonly file: string;
  /** What was wrong with it; names the field. */
  readonly problem: string;
}

/** What the human has set, in a file that only the human can read. */
export class SettingsFile {
  readonly #file: string;
  #current: DesktopSettings;
  /** Set when the file that was there could not be used. */
  readonly movedAside: MovedAside | undefined;

  /** @param now wall clock in ms, for the name of a file that is moved aside */
  constructor(file: string, now: number) {
    this.#file = file;
    const read = readSettings(file);
    if ("settings" in read) this.#current = read.settings;
    else {
      this.movedAside = { file: moveAside(file, now), problem: read.problem };
      this.#current = desktopSettings.parse({});
    }
  }

  get current(): DesktopSettings {
    return this.#current;
  }

  /**
   * Changes some settings, on disk first.
   * @throws {IntercomError} INTERNAL with `details.reason` `disk_full` or `not_written`; then nothing has changed
   */
  change(patch: DesktopSettingsPatch): DesktopSettings {
    const next = desktopSettings.parse(patched(this.#current, patch));
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writePrivateFile(this.#file, next);
    } catch (error) {
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      const isFull = code === "ENOSPC" || code === "EDQUOT";
      throw new IntercomError(
        "INTERNAL",
        isFull ? "The settings were not saved: the disk is full." : `The settings were not saved (${code}).`,
        { reason: isFull ? "disk_full" : "not_written", file: this.#file },
        { cause: error },
      );
    }
    this.#current = next;
    return next;
  }
}

function readSettings(file: string): { settings: DesktopSettings } | { problem: string } {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? { settings: desktopSettings.parse({}) } : { problem: `it cannot be read (${code})` };
  }
  try {
    return { settings: parseInput(desktopSettings, JSON.parse(source)) };
  } catch (error) {
    return { problem: isIntercomError(error) ? error.message : "it is not valid JSON" };
  }
}

/** Keeps what the human may have written by hand, under a name that says what it is. */
function moveAside(file: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:.]/g, "");
  let aside = `${file}.unusable-${stamp}`;
  for (let copy = 1; existsSync(aside); copy += 1) aside = `${file}.unusable-${stamp}-${copy}`;
  try {
    renameSync(file, aside);
    return aside;
  } catch {
    // It stays where it is until settings are changed.
    return file;
  }
}

function patched(settings: DesktopSettings, patch: DesktopSettingsPatch): DesktopSettings {
  const { notifications, updates, ...plain } = patch;
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  return {
    ...settings,
    ...given,
    notifications: { ...settings.notifications, ...notifications },
    updates: { ...settings.updates, ...updates },
  } as DesktopSettings;
}
