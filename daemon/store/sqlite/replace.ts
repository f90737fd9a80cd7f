import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Database from "better-sqlite3";
import { syncDirectory, syncFile } from "../../runtime/durability.ts";
import { copyAside } from "./aside.ts";
import { newSibling, SQLITE_SUFFIXES } from "./siblings.ts";
import { temporaryFile } from "./temporary-files.ts";

const STAGED = ".restoring-";
const SET_ASIDE = ".before-restore-";

/**
 * Puts a copy of the database in `source` in place of `databaseFile`, which is set aside with its log. Only under the
 * lock on the directory.
 *
 * The copy first gets a name of its own that says what it is for. From then on the replacement is decided: whoever opens
 * the database next finishes it, so that a power cut leaves the old data or the new, and never neither.
 * @param now wall clock, ms since the epoch
 * @returns where the database that was there is now; undefined when there was none
 * @throws SQLite's or the system's error; then nothing has changed
 */
export function replaceDatabase(source: string, databaseFile: string, now: number): string | undefined {
  finishReplacement(databaseFile);
  const directory = dirname(databaseFile);
  const copy = temporaryFile(directory, "restore");
  const aside = newSibling(databaseFile, "before-restore", now);
  try {
    copyAside(source, copy);
    endBrowserSessions(copy);
    syncFile(copy);
    renameSync(copy, databaseFile + STAGED + aside.slice((databaseFile + SET_ASIDE).length));
    syncDirectory(directory);
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
  return finishReplacement(databaseFile);
}

/**
 * Whoever was signed in when the backup was made need not be anybody who may be now; and the copy may come to stand beside
 * what it is a copy of, whose cookies it must not take away.
 */
function endBrowserSessions(file: string): void {
  const connection = new Database(file, { fileMustExist: true });
  try {
    const known = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'ui_sessions'").get() !== undefined;
    if (!known) return;
    connection.exec(
      "DELETE FROM ui_sessions; DELETE FROM ui_sign_in_codes; DELETE FROM daemon_secrets WHERE name = 'ui'",
    );
  } finally {
    connection.close();
  }
}

/**
 * Finishes a replacement that was cut off. Only under the lock on the directory.
 * @returns where the database that was there is now; undefined when there was none, or nothing to finish
 */
export function finishReplacement(databaseFile: string): string | undefined {
  const directory = dirname(databaseFile);
  const prefix = basename(databaseFile) + STAGED;
  const staged = existsSync(directory) ? readdirSync(directory).find((name) => name.startsWith(prefix)) : undefined;
  if (staged === undefined) return undefined;
  const aside = databaseFile + SET_ASIDE + staged.slice(prefix.length);
  // The same names at each attempt, so that a log stays with the database it belongs to.
  for (const suffix of [...SQLITE_SUFFIXES, ""]) {
    if (existsSync(databaseFile + suffix)) renameSync(databaseFile + suffix, aside + suffix);
  }
  renameSync(join(directory, staged), databaseFile);
  syncDirectory(directory);
  return existsSync(aside) ? aside : undefined;
}
