import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Directories } from "../runtime/index.ts";
import { isProcessAlive } from "../runtime/process-info.ts";
import { temporaryFilesIn } from "../store/index.ts";

/** Files of a daemon that are not as they should be. */

const OTHERS = 0o077;
const OTHERS_MAY_WRITE = 0o022;

/** Our files that other users may open. Links and what belongs to somebody else are not ours. */
export function findOpenFiles({ dataDir, runtimeDir, logDir, databaseFile, lockFile, runFile }: Directories): string[] {
  if (process.platform === "win32") return [];
  const database = basename(databaseFile);
  const isData = (name: string) => name.startsWith(database) || name === basename(lockFile);
  const isRun = (name: string) => name.startsWith(basename(runFile));
  const found = [
    ...filesIn(dataDir, isData),
    ...filesIn(logDir, (name) => name.includes(".log")),
    ...filesIn(runtimeDir, isRun),
  ].filter((file) => isOpen(file));
  // One that others may have written is not to be trusted just because its mode is right.
  return found.filter((file) => file !== runFile || (lstatSync(file).mode & OTHERS_MAY_WRITE) === 0);
}

/** Takes away what other users may do with the files. */
export function closeOpenFiles(files: readonly string[]): void {
  for (const file of files) {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      fchmodSync(descriptor, fstatSync(descriptor).mode & 0o700);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** What work that was cut off has left. Only while no daemon uses the directory. */
export function findLeftovers({ dataDir, runFile }: Directories): string[] {
  return [
    ...temporaryFilesIn(dataDir),
    ...filesIn(dataDir, (name) => name.endsWith(".partial")),
    ...filesIn(dirname(runFile), isAbandonedRunFile),
  ];
}

export function removeLeftovers(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}

/** A run file that was being written when its daemon died. */
function isAbandonedRunFile(name: string): boolean {
  const pid = /^\.run-(\d+)-\w+\.tmp$/.exec(name)?.[1];
  return pid !== undefined && !isProcessAlive(Number(pid));
}

function filesIn(directory: string, belongs: (name: string) => boolean): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && belongs(entry.name))
      .map((entry) => join(directory, entry.name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function isOpen(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.uid === process.getuid?.() && (stats.mode & OTHERS) !== 0;
}
