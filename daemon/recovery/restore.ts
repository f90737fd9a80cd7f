import { existsSync, statSync } from "node:fs";
import { IntercomError } from "../../protocol/index.ts";
import { claimDirectory } from "../claims.ts";
import { ensurePrivateDirectory, resolveDirectories } from "../runtime/index.ts";
import { reasonOf, replaceDatabase } from "../store/index.ts";
import { type BackupReport, verifyBackup } from "./verify.ts";

export interface RestoreOptions {
  /** The backup. It is copied and stays as it is. */
  readonly file: string;
  readonly dataDir?: string | undefined;
  /** Where a daemon in the way would have its run file. */
  readonly runtimeDir?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Replace data that is there; otherwise that is refused. */
  readonly replace: boolean;
  /** Wall clock, ms since the epoch. */
  readonly now: number;
}

export interface RestoreOutcome {
  readonly backup: BackupReport;
  readonly databaseFile: string;
  /** Where the data is that was there before; undefined when there was none. */
  readonly previousData: string | undefined;
}

/**
 * Puts a backup in place of the data, which is set aside. No daemon can start meanwhile.
 * @throws {IntercomError} CONFLICT while a daemon uses the directory (`details.reason` is `already_running`), where there is
 * data that must not be replaced (`data_exists`), for a backup that is damaged, of a newer version or the
 * data itself; NOT_FOUND and PERMISSION_DENIED as {@link verifyBackup}; INTERNAL when it cannot be written
 */
export function restoreBackup(options: RestoreOptions): RestoreOutcome {
  const directories = resolveDirectories(options);
  const { dataDir, databaseFile, lockFile } = directories;
  ensurePrivateDirectory(dataDir);
  const lock = claimDirectory(lockFile, `The data directory ${dataDir}`, directories);
  try {
    if (isSameFile(options.file, databaseFile)) {
      throw new IntercomError("CONFLICT", `${options.file} is the data itself, not a backup of it`);
    }
    const backup = verifyBackup(options.file);
    const [problem] = backup.problems;
    if (problem !== undefined) {
      const details = { reason: "not_restorable", problems: backup.problems };
      throw new IntercomError("CONFLICT", `${options.file} cannot be restored. ${problem}`, details);
    }
    if (!options.replace && existsSync(databaseFile)) {
      throw new IntercomError("CONFLICT", `This replaces the data in ${dataDir}`, { reason: "data_exists" });
    }
    return { backup, databaseFile, previousData: replace(options.file, databaseFile, options.now) };
  } finally {
    lock.release();
  }
}

function replace(file: string, databaseFile: string, now: number): string | undefined {
  try {
    return replaceDatabase(file, databaseFile, now);
  } catch (error) {
    const message = `The backup could not be copied to ${databaseFile} (${reasonOf(error)}). Nothing was changed.`;
    throw new IntercomError("INTERNAL", message, { reason: "restore_failed" }, { cause: error });
  }
}

function isSameFile(left: string, right: string): boolean {
  if (!existsSync(left) || !existsSync(right)) return false;
  const [a, b] = [statSync(left), statSync(right)];
  return a.ino === b.ino && a.dev === b.dev;
}
