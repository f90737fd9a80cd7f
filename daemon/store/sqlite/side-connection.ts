import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import type { Transaction } from "../../core/index.ts";
import type { Connection } from "./open.ts";
import { ConnectionTransaction } from "./statements.ts";

/** Work on the database beside the daemon's own two connections: for other threads, and for programs without a daemon. */

function connect(file: string, readonly: boolean): Connection {
  const connection = new Database(file, { readonly, fileMustExist: true });
  connection.pragma("busy_timeout = 2500");
  connection.pragma("cache_size = -32768");
  return connection;
}

/** Yields what `work` yields, all of it read from one snapshot. */
export async function* readSnapshot<Chunk, Result>(
  file: string,
  work: (tx: Transaction) => AsyncGenerator<Chunk, Result>,
): AsyncGenerator<Chunk, Result> {
  const connection = connect(file, true);
  try {
    connection.exec("BEGIN");
    return yield* work(new ConnectionTransaction(connection));
  } finally {
    connection.close();
  }
}

/** Runs `work` in one durable transaction; nothing of it is kept when it throws. */
export async function writeAlone<Result>(file: string, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const connection = connect(file, false);
  try {
    connection.pragma("synchronous = FULL");
    connection.pragma("foreign_keys = ON");
    connection.exec("BEGIN IMMEDIATE");
    const result = await work(new ConnectionTransaction(connection));
    connection.exec("COMMIT");
    return result;
  } finally {
    // Closing rolls back what was not committed.
    connection.close();
  }
}

/** Copies what the log holds into the database, as far as that keeps nobody waiting. */
export function foldLog(file: string): void {
  const connection = connect(file, false);
  try {
    connection.pragma("synchronous = FULL");
    connection.pragma("wal_checkpoint(PASSIVE)");
  } finally {
    connection.close();
  }
}

/**
 * Writes a copy of the database as it is at this instant to `target`, which must not exist. Writers are not held up, and
 * what was deleted is not in the copy.
 */
export function copyDatabase(file: string, target: string): void {
  // SQLite would make the file with the rights everybody's files have; an empty one it fills.
  closeSync(openSync(target, "wx", 0o600));
  const connection = connect(file, true);
  try {
    connection.prepare("VACUUM INTO ?").run(target);
  } finally {
    connection.close();
  }
}
