import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { editConfig } from "./edit/edit.ts";
import { isTable } from "./edit/editor.ts";
import { ConnectError } from "./error.ts";
import { backUp, backupsOf, readBackup } from "./file/backup.ts";
import { type ConfigFile, readConfigFile } from "./file/config-file.ts";
import { removeConfigFile, writeConfigFile } from "./file/write.ts";
import { currentEntry, entryPath, type Plan } from "./plan.ts";
import type { ClientProfile, Entry } from "./profile.ts";

/** Clients write their files, too, some of them often. */
const ATTEMPTS = 3;

/** A change that was made and read back. */
export interface Applied {
  readonly plan: Plan;
  /** Copy of the file before the change; nothing when there was none, or nothing changed. */
  readonly backup?: string;
}

/**
 * Makes a change, reads it back the way the client will, and compares. When another program writes the file at the same
 * moment, the change is worked out again.
 * @param makePlan reads the file and works out the change
 * @param now the time for the backup's name, in ms since 1970
 * @throws {ConnectError} what `makePlan` throws, CHANGED_MEANWHILE, UNWRITABLE
 */
export function apply(makePlan: () => Plan, now: number): Applied {
  for (let attempt = 1; ; attempt += 1) {
    const plan = makePlan();
    if (plan.action === "none") return { plan };
    const backup = backUp(plan.file, now);
    try {
      writeConfigFile(plan.file, plan.text);
    } catch (error) {
      if (backup !== undefined) rmSync(backup, { force: true });
      const isRace = error instanceof ConnectError && error.code === "CHANGED_MEANWHILE";
      if (isRace && attempt < ATTEMPTS) continue;
      throw error;
    }
    verify(plan);
    return backup === undefined ? { plan } : { plan, backup };
  }
}

function verify({ profile, file, entry }: Plan): void {
  if (isDeepStrictEqual(currentEntry(profile, readConfigFile(file.path)), entry)) return;
  throw new ConnectError("CHANGED_MEANWHILE", `${file.path} was written, but another program has changed it since.`);
}

/** What undoing did. */
export type Undone =
  | { readonly action: "restored"; readonly file: string; readonly backup: string }
  /** The file was there only because of us. */
  | { readonly action: "deleted"; readonly file: string };

/**
 * Puts back the file as it was before the latest change of ours, unless it has changed since: making that change to the
 * backup must give exactly what is there now.
 * @throws {ConnectError} NO_BACKUP, CHANGED_SINCE, UNWRITABLE
 */
export function undo(profile: ClientProfile, path: string): Undone {
  const file = readConfigFile(path);
  const [backup] = backupsOf(path);
  if (backup === undefined) {
    if (!file.was || !isResultOfOurs(profile, file, "")) {
      throw new ConnectError("NO_BACKUP", `There is no backup beside ${path}, so there is nothing to undo.`);
    }
    removeConfigFile(file);
    return { action: "deleted", file: path };
  }
  const before = readBackup(backup);
  if (!isResultOfOurs(profile, file, before)) {
    throw new ConnectError("CHANGED_SINCE", `${path} has been changed since Agent Intercom changed it.`);
  }
  writeConfigFile(file, before);
  rmSync(backup, { force: true });
  return { action: "restored", file: path, backup };
}

function isResultOfOurs(profile: ClientProfile, file: ConfigFile, before: string): boolean {
  const entry = currentEntry(profile, file);
  if (entry !== undefined && !isTable(entry)) return false;
  if (before === "" && entry === undefined) return false;
  const source = { format: profile.format, file: file.path, text: before };
  return editConfig(source, entryPath(profile), entry as Entry | undefined) === file.text;
}
