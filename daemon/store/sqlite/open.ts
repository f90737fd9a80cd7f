import { chmodSync, existsSync } from "node:fs";
import Database from "better-sqlite3";
import { IntercomError } from "../../../protocol/index.ts";
import { migrations, SCHEMA_VERSION } from "../migrations/index.ts";
import { explainOpening, requireRegularFile } from "./files.ts";

export type Connection = Database.Database;

/** What opening needs to tell its caller about. */
export interface OpenReport {
  /** The last daemon on this file did not close it. */
  readonly recovered: boolean;
  /** Schema version before migrating; 0 for a new file. */
  readonly migratedFrom: number | undefined;
}

export interface OpenedDatabase {
  readonly writer: Connection;
  readonly reader: Connection;
  readonly report: OpenReport;
}

/**
 * Opens or creates the database file: owner-only, write-ahead log, full fsync on commit, schema brought up to date.
 * @throws {IntercomError} CONFLICT for a file of a newer program, a link or a hard-linked one, INTERNAL for a damaged one,
 * PERMISSION_DENIED for one this user may not write
 */
export function openDatabase(file: string): OpenedDatabase {
  refuseAliases(file);
  const existed = existsSync(file);
  // SQLite removes the log on a clean close, so one that is still there tells of an unclean one.
  const recovered = existed && existsSync(`${file}-wal`);
  const writer = openWriter(file);
  try {
    chmodSync(file, 0o600);
    configure(writer);
    if (recovered) checkIntegrity(writer, file);
    const migratedFrom = migrate(writer, existed);
    return { writer, reader: openReader(file), report: { recovered, migratedFrom } };
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

function configure(connection: Connection): void {
  connection.pragma("journal_mode = WAL");
  // An accepted call is on disk: power loss included.
  connection.pragma("synchronous = FULL");
  connection.pragma("foreign_keys = ON");
  connection.pragma("busy_timeout = 2500");
  connection.pragma("temp_store = MEMORY");
  connection.pragma("cache_size = -32768");
  // Pages that change with every commit are copied home once per round: 32 MB makes rounds rare and a round still short.
  connection.pragma("wal_autocheckpoint = 8192");
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

function migrate(connection: Connection, existed: boolean): number | undefined {
  const version = connection.pragma("user_version", { simple: true }) as number;
  if (version > SCHEMA_VERSION) {
    throw new IntercomError(
      "CONFLICT",
      `The data was written by a newer Agent Intercom (schema ${version}, this one knows ${SCHEMA_VERSION}). Update Agent Intercom.`,
      { schema: version, supported: SCHEMA_VERSION },
    );
  }
  if (version === SCHEMA_VERSION) return undefined;
  if (version === 0) claimFile(connection);
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    connection.transaction(() => {
      connection.exec(sql);
      connection.pragma(`user_version = ${index + 1}`);
    })();
  }
  return existed ? version : 0;
}

/** "AICM" in ASCII: tells our files from those of other programs. */
const APPLICATION_ID = 0x4149434d;

/** A new file becomes ours; somebody else's database is left alone. */
function claimFile(connection: Connection): void {
  if (connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined) {
    throw new IntercomError("CONFLICT", `${connection.name} is a database of another program; refusing to use it`);
  }
  connection.pragma(`application_id = ${APPLICATION_ID}`);
}
