import { IntercomError } from "../../../protocol/index.ts";
import { SCHEMA_VERSION } from "../migrations/index.ts";
import type { Connection } from "./open.ts";

/** "AICM" in ASCII: tells our files from those of other programs. */
const APPLICATION_ID = 0x4149434d;

/** Whether the database was made by this program, in whatever version. */
export function isOurs(connection: Connection): boolean {
  return connection.pragma("application_id", { simple: true }) === APPLICATION_ID;
}

/** Version of the schema; 0 while there is none. */
export function schemaOf(connection: Connection): number {
  return connection.pragma("user_version", { simple: true }) as number;
}

/** @throws {IntercomError} CONFLICT for a database that somebody else has filled */
export function refuseForeign(connection: Connection): void {
  if (isOurs(connection)) return;
  if (schemaOf(connection) === 0 && isEmpty(connection)) return;
  throw new IntercomError("CONFLICT", `${connection.name} is a database of another program; refusing to use it`);
}

function isEmpty(connection: Connection): boolean {
  return connection.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

/** Makes an empty database ours. */
export function claimFile(connection: Connection): void {
  connection.pragma(`application_id = ${APPLICATION_ID}`);
}

/** @throws {IntercomError} CONFLICT when the schema is newer than this program */
export function refuseNewer(schema: number, known = SCHEMA_VERSION): void {
  if (schema <= known) return;
  throw new IntercomError(
    "CONFLICT",
    `The data was written by a newer Agent Intercom (schema ${schema}, this one knows ${known}). Update Agent Intercom.`,
    { schema, supported: known },
  );
}
