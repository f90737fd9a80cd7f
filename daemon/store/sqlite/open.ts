import { chmodSync, existsSync } from "node:fs";
import Database from "better-sqlite3";
import { IntercomError } from "../../../protocol/index.ts";
import { explainOpening, requireRegularFile } from "./files.ts";
import { type Migration, migrate } from "./migrate.ts";
import { finishReplacement } from "./replace.ts";

export type Connection = Database.Database;

/** What opening needs to tell its caller about. */
export interface OpenReport {
  /** The last daemon on this file did not close it. */
  readonly recovered: boolean;
  /** Set when the schema was brought up to date, or made. */
  readonly migration: Migration | undefined;
  /** Where the data was put that a restore replaced which had been cut off. */
  readonly replaced: string | undefined;
}

export interface OpenedDatabase {
  readonly writer: Connection;
  readonly reader: Connection;
  readonly report: OpenReport;
}

/**
 * Opens or creates the database file: owner-only, write-ahead log, full fsync on commit, schema brought up to date after
 * a copy was made.
 * @param now wall clock, ms since the epoch
 * @throws {IntercomError} CONFLICT for a file of a newer program, a link or a hard-linked one, INTERNAL for a damaged one,
 * PERMISSION_DENIED for one this user may not write
 */
export function openDatabase(file: string, now: number): OpenedDatabase {
  const replaced = finishReplacement(file);
  refuseAliases(file);
  const existed = existsSync(file);
  // SQLite removes the log on a clean close, so one that is still there tells of an unclean one.
  const recovered = existed && existsSync(`${file}-wal`);
  const writer = openWriter(file);
  try {
    chmodSync(file, 0o600);
    configure(writer);
    if (recovered) checkIntegrity(writer, file);
    const migration = migrate(writer, now);
    return { writer, reader: openReader(file), report: { recovered, migration, replaced } };
  } catch (error) {
    writer.close();
    throw explainOpening(file, error);
  }
}

/** A second name for the file would let a second daemon past the lock, or a stranger into the data. */
function refuseAliases(file: string): void {
  const found = requireRegularFile(file);
  if (found && found.names > 1)
    throw new IntercomError("CONFLICT", `${file} has more than one name (hard link); refusing to use it`);
}

function openWriter(file: string): Connection {
  try {
    return new Database(file);
  } catch (error) {
    throw explainOpening(file, error);
  }
}

/** Pages that change with every commit are copied home once per round: 32 MB makes rounds rare and a round still short. */
export const LOG_PAGES = 8192;

function configure(connection: Connection): void {
  connection.pragma("journal_mode = WAL");
  // An accepted call is on disk: power loss included.
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma("busy_timeout = 2500");
  connection.pragma("temp_store = MEMORY");
  connection.pragma("cache_size = -32768");
  connection.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
  connection.pragma("journal_size_limit = 67108864");
}

function openReader(file: string): Connection {
  const reader = new Database(file, { readonly: true });
  reader.pragma("busy_timeout = 2500");
  reader.pragma("cache_size = -16384");
  return reader;
}

function checkIntegrity(connection: Connection, file: string): void {
  const result = connection.pragma("quick_check(1)", { simple: true });
  if (result !== "ok") {
    throw new IntercomError("INTERNAL", `${file} is damaged (${String(result)}). Restore a backup or move it away.`);
  }
}
