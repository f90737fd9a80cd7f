import { statSync } from "node:fs";
import { readAside } from "./aside.ts";
import { isOurs, schemaOf } from "./identity.ts";
import type { Connection } from "./open.ts";

/** What a database file holds and how sound it is. */
export interface Inspection {
  readonly bytes: number;
  /** Whether this program made it, in whatever version. */
  readonly ours: boolean;
  readonly schema: number;
  /** Rows by table, of the tables there are. */
  readonly rows: Readonly<Record<string, number>>;
  /** Damage in SQLite's words, at most {@link MAX_PROBLEMS}. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 10;

/**
 * Examines a database without changing it.
 * @param depth `full` compares indexes with tables too, and counts rows; `quick` takes a fraction of the time
 * @throws SQLite's error when it is none, or cannot be opened
 */
export function inspectDatabase(file: string, depth: "full" | "quick" = "full"): Inspection {
  return readAside(file, (connection) => {
    const ours = isOurs(connection);
    const problems = [...damage(connection, depth), ...orphans(connection)];
    return {
      bytes: statSync(file).size,
      ours,
      schema: schemaOf(connection),
      rows: depth === "full" && ours && problems.length === 0 ? rowCounts(connection) : {},
      problems,
    };
  });
}

function damage(connection: Connection, depth: "full" | "quick"): string[] {
  const check = depth === "full" ? "integrity_check" : "quick_check";
  const found = connection.pragma(`${check}(${MAX_PROBLEMS})`) as Record<string, string>[];
  // A row may be several lines under a heading.
  const lines = found.flatMap((row) => Object.values(row).join("\n").split("\n"));
  return lines.filter((line) => line !== "ok" && !line.startsWith("***")).slice(0, MAX_PROBLEMS);
}

function orphans(connection: Connection): string[] {
  const found = connection.pragma("foreign_key_check") as { table: string; parent: string }[];
  const tables = new Map<string, number>();
  for (const { table, parent } of found) {
    const what = `${table} without ${parent}`;
    tables.set(what, (tables.get(what) ?? 0) + 1);
  }
  return [...tables].map(([what, count]) => `${count} rows of ${what}`);
}

function rowCounts(connection: Connection): Record<string, number> {
  const tables = connection
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  return Object.fromEntries(
    tables.map((table) => [table, connection.prepare(`SELECT COUNT(*) FROM "${table}"`).pluck().get() as number]),
  );
}
