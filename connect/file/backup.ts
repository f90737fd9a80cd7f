import { closeSync, fchmodSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { decode } from "../edit/text.ts";
import { type ConfigFile, explain } from "./config-file.ts";

const MARK = ".agent-intercom-backup-";
const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/;
/** So many backups of one file are kept. */
export const KEPT_BACKUPS = 3;

/** Copies the file as it was read to one beside it and forgets the oldest copies. Nothing to copy: no backup. */
export function backUp({ path, text, was }: ConfigFile, now: number): string | undefined {
  if (!was) return undefined;
  // Later than every other one even when the clock was set back, because the newest is what undoing goes to.
  const [newest] = backupsOf(path);
  for (let at = newest === undefined ? now : Math.max(now, timeOf(newest) + 1); ; at += 1) {
    const backup = `${path}${MARK}${new Date(at).toISOString().replaceAll(/[-:.]/g, "")}`;
    try {
      write(backup, text, was.mode);
      for (const old of backupsOf(path).slice(KEPT_BACKUPS)) rmSync(old, { force: true });
      return backup;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw explain(error, backup, "written");
    }
  }
}

/** Backups of a file, newest first. */
export function backupsOf(path: string): string[] {
  const prefix = basename(path) + MARK;
  let names: string[];
  try {
    names = readdirSync(dirname(path));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(prefix) && STAMP.test(name.slice(prefix.length)))
    .sort()
    .reverse()
    .map((name) => join(dirname(path), name));
}

function timeOf(backup: string): number {
  const stamp = backup.slice(backup.lastIndexOf(MARK) + MARK.length);
  return Date.parse(stamp.replace(STAMP, "$1-$2-$3T$4:$5:$6.$7Z"));
}

export function readBackup(backup: string): string {
  try {
    return decode(readFileSync(backup), backup);
  } catch (error) {
    throw explain(error, backup, "read");
  }
}

function write(backup: string, text: string, mode: number): void {
  const descriptor = openSync(backup, "wx", 0o600);
  try {
    writeFileSync(descriptor, text);
    if (process.platform !== "win32") fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}
