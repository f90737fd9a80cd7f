import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Files beside the database. Each carries the database's name, so that whoever looks into the directory knows what they
 * belong to, and an instant, so that their order can be read off.
 */

/** What SQLite keeps beside a database: its log and the index of that. */
export const SQLITE_SUFFIXES = ["-wal", "-shm"] as const;

const BACKUP = /^\.schema\d+-backup-(\d{8}T\d{6}Z(?:-\d+)?)$/;
const SET_ASIDE = /^\.before-restore-(\d{8}T\d{6}Z(?:-\d+)?)$/;

/** An earlier state of the database, in a file of its own. */
export interface EarlierState {
  readonly file: string;
  /** When it was made; sorts as text. */
  readonly stamp: string;
}

/** `20260504T120000Z` */
export function stampOf(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** A file beside `databaseFile` that does not exist yet: `<database>.<kind>-<stamp>`. */
export function newSibling(databaseFile: string, kind: string, now: number): string {
  const name = `${databaseFile}.${kind}-${stampOf(now)}`;
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : `${name}-${n}`;
    if (!existsSync(candidate)) return candidate;
  }
}

/** Copies that were made before migrations, newest first. */
export function migrationBackups(databaseFile: string): EarlierState[] {
  return siblings(databaseFile, [BACKUP]);
}

/** Every earlier state there is beside the database, newest first. */
export function earlierStates(databaseFile: string): EarlierState[] {
  return siblings(databaseFile, [BACKUP, SET_ASIDE]);
}

function siblings(databaseFile: string, patterns: readonly RegExp[]): EarlierState[] {
  const directory = dirname(databaseFile);
  const name = basename(databaseFile);
  return readdirSync(directory)
    .filter((entry) => entry.startsWith(name))
    .flatMap((entry) => {
      const rest = entry.slice(name.length);
      const stamp = patterns.map((pattern) => pattern.exec(rest)?.[1]).find((found) => found !== undefined);
      return stamp === undefined ? [] : [{ file: join(directory, entry), stamp }];
    })
    .sort((a, b) => (a.stamp < b.stamp ? 1 : -1));
}
