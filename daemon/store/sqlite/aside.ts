import { existsSync, realpathSync } from "node:fs";
import Database from "better-sqlite3";
import type { Transaction } from "../../core/index.ts";
import { schemaOf } from "./identity.ts";
import type { Connection } from "./open.ts";
import { copyDatabase } from "./side-connection.ts";
import { ConnectionTransaction } from "./statements.ts";

/** Reading databases nobody has open, in such a way that nothing beside them tells of it. */

/** Works on a connection that only reads, and leaves no file behind that was not there. */
export function readAside<T>(file: string, work: (connection: Connection) => T): T {
  const { connection, close } = openAside(file);
  try {
    return work(connection);
  } finally {
    close();
  }
}

/** The same on one snapshot, for work that is written for any store. */
export async function readSnapshotAside<T>(file: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { connection, close } = openAside(file);
  try {
    connection.exec("BEGIN");
    return await work(new ConnectionTransaction(connection));
  } finally {
    close();
  }
}

/** Copies a database to `target`, which must not exist. */
export function copyAside(name: string, target: string): void {
  const file = realpathSync(name);
  const hadLog = existsSync(`${file}-wal`);
  try {
    copyDatabase(file, target);
  } finally {
    if (!hadLog) clearLog(file);
  }
}

function openAside(name: string): { readonly connection: Connection; close(): void } {
  // The log lies beside the file itself, not beside a link to it.
  const file = realpathSync(name);
  const hadLog = existsSync(`${file}-wal`);
  const connection = new Database(file, { readonly: true, fileMustExist: true });
  connection.pragma("busy_timeout = 2500");
  return {
    connection,
    close: () => {
      connection.close();
      if (!hadLog) clearLog(file);
    },
  };
}

/** A connection that only reads makes a log and cannot remove it; one that may write does so when it is the last. */
function clearLog(file: string): void {
  if (!existsSync(`${file}-wal`)) return;
  try {
    const connection = new Database(file, { fileMustExist: true });
    try {
      schemaOf(connection);
    } finally {
      connection.close();
    }
  } catch {
    // An empty log beside a file that cannot be written does no harm.
  }
}
