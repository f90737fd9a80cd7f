import { IntercomError, isIntercomError } from "../../../protocol/index.ts";
import { migrations as released } from "../migrations/index.ts";
import { reasonOf } from "./files.ts";
import { claimFile, refuseForeign, refuseNewer, schemaOf } from "./identity.ts";
import { discardBackup, writeMigrationBackup } from "./migration-backup.ts";
import type { Connection } from "./open.ts";

export interface Migration {
  /** Schema version before; 0 for a new file. */
  readonly from: number;
  /** Where the data was copied to before, when there was any. */
  readonly backup: string | undefined;
}

/**
 * Brings the schema up to date in one transaction, after a copy of what there is was put beside it. When it cannot be
 * copied or migrated, the data stays as it is.
 * @param now wall clock, ms since the epoch
 * @param migrations every step there is, in order
 * @returns undefined when there was nothing to do
 * @throws {IntercomError} CONFLICT for data of a newer program or of another one, INTERNAL when a step fails
 */
export function migrate(
  connection: Connection,
  now: number,
  migrations: readonly string[] = released,
): Migration | undefined {
  refuseForeign(connection);
  const from = schemaOf(connection);
  refuseNewer(from, migrations.length);
  if (from === migrations.length) return undefined;
  const backup = from > 0 ? writeMigrationBackup(connection.name, from, now) : undefined;
  try {
    connection
      .transaction(() => {
        if (from === 0) claimFile(connection);
        for (const sql of migrations.slice(from)) connection.exec(sql);
        connection.pragma(`user_version = ${migrations.length}`);
      })
      .immediate();
  } catch (error) {
    // What it holds is what the data still is; a daemon that is started again and again must not fill the disk with it.
    if (backup !== undefined && schemaOf(connection) === from) discardBackup(backup);
    throw isIntercomError(error) || from === 0 ? error : failed(connection, from, migrations.length, error);
  }
  return { from, backup };
}

function failed(connection: Connection, from: number, to: number, cause: unknown): IntercomError {
  return new IntercomError(
    "INTERNAL",
    `${connection.name} could not be brought from schema ${from} to ${to} (${reasonOf(cause)}). Nothing was changed: ` +
      "the version that wrote it can go on using it.",
    { reason: "migration_failed", schema: from },
    { cause },
  );
}
