import { renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { IntercomError } from "../../../protocol/index.ts";
import { syncDirectory, syncFile } from "../../runtime/durability.ts";
import { reasonOf } from "./files.ts";
import { isOurs, schemaOf } from "./identity.ts";
import { migrationBackups, newSibling } from "./siblings.ts";
import { copyDatabase } from "./side-connection.ts";
import { temporaryFile } from "./temporary-files.ts";

/** Copies of data before migrations that are kept. */
const KEPT = 3;

/**
 * Puts a copy of the database of schema `schema` beside it, for the user alone, and removes all but the newest ones.
 * @returns where it is
 * @throws {IntercomError} INTERNAL when it cannot be written, e.g. because the disk is full; then nothing is left behind
 */
export function writeMigrationBackup(databaseFile: string, schema: number, now: number): string {
  const target = newSibling(databaseFile, `schema${schema}-backup`, now);
  // Under its own name only once it is whole: whoever looks for a backup must not find half of one.
  const unfinished = temporaryFile(dirname(databaseFile), "backup");
  try {
    copyDatabase(databaseFile, unfinished);
    checkCopy(unfinished, schema);
    syncFile(unfinished);
    renameSync(unfinished, target);
    syncDirectory(dirname(target));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw cannotBackUp(databaseFile, error);
  }
  for (const { file } of migrationBackups(databaseFile).slice(KEPT)) rmSync(file, { force: true });
  return target;
}

/** Takes a backup back that turned out to hold nothing else than the data itself. */
export function discardBackup(file: string): void {
  rmSync(file, { force: true });
}

/** The cheap part of a verification: that the copy is complete and what it should be. @throws when it is not */
function checkCopy(file: string, schema: number): void {
  const copy = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const pages = copy.pragma("page_count", { simple: true }) as number;
    const pageSize = copy.pragma("page_size", { simple: true }) as number;
    const complete = statSync(file).size === pages * pageSize;
    if (!complete || !isOurs(copy) || schemaOf(copy) !== schema) throw new Error("the copy is not complete");
  } finally {
    copy.close();
  }
}

function cannotBackUp(databaseFile: string, cause: unknown): IntercomError {
  const mib = Math.max(1, Math.ceil(statSync(databaseFile).size / (1024 * 1024)));
  return new IntercomError(
    "INTERNAL",
    `The data has to be migrated, and the backup that is made before could not be written to ${dirname(databaseFile)} ` +
      `(${reasonOf(cause)}). Nothing was changed. It takes about ${mib} MiB; free some space and start again.`,
    { reason: "backup_failed" },
    { cause },
  );
}
