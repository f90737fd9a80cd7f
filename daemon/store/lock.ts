import { chmodSync } from "node:fs";
import Database from "better-sqlite3";
import { explainOpening, requireRegularFile } from "./sqlite/files.ts";

/** A lock held by this process until it releases it or dies. */
export interface HeldLock {
  release(): void;
}

/**
 * Takes an exclusive lock on `file` (created when missing), or returns undefined when another process has it.
 *
 * Node has no file locks of its own. SQLite's are held by the operating system on the open file, so unlike a pid file
 * they end with the process, however it ends, and cannot be mistaken for somebody else's.
 * @throws {IntercomError} CONFLICT for a link, INTERNAL for another kind of file, PERMISSION_DENIED where it may not be written
 */
export function tryLock(file: string): HeldLock | undefined {
  requireRegularFile(file);
  let connection: Database.Database | undefined;
  try {
    connection = new Database(file, { timeout: 0 });
    chmodSync(file, 0o600);
    connection.pragma("journal_mode = DELETE");
    connection.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    connection?.close();
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return undefined;
    throw explainOpening(file, error);
  }
  const held = connection;
  return { release: () => void held.close() };
}
