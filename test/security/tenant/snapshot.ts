import type Database from "better-sqlite3";
import type { TestDaemon } from "../../support/daemon.ts";

/** Tables that belong to no scope. */
const OF_NO_SCOPE: readonly string[] = ["daemon_secrets", "ended_mcp_sessions", "ui_sessions", "ui_sign_in_codes"];

/** Columns that refer to a row of another table without saying so in the schema. */
const REFERS: Readonly<Record<string, string>> = { agent_no: "agents", execution_no: "executions", task_no: "tasks" };

interface Column {
  readonly name: string;
}

/** An SQL condition for the rows of a table that belong to the scope `?`; undefined when the table tells nothing. */
function ownership(db: Database.Database, table: string, seen: readonly string[] = []): string | undefined {
  if (table === "scopes") return "no = ?";
  const columns = (db.pragma(`table_info(${table})`) as Column[]).map(({ name }) => name);
  if (columns.includes("scope_no")) return "scope_no = ?";
  const keys = db.pragma(`foreign_key_list(${table})`) as { table: string; from: string; to: string }[];
  const unsaid = columns.flatMap((from) => (REFERS[from] ? [{ table: REFERS[from], from, to: "no" }] : []));
  for (const { table: parent, from, to } of [...keys, ...unsaid]) {
    if (seen.includes(parent) || parent === table) continue;
    const condition = ownership(db, parent, [...seen, table]);
    if (condition !== undefined) return `${from} IN (SELECT ${to} FROM ${parent} WHERE ${condition})`;
  }
  return undefined;
}

/**
 * Every stored row of a scope, as text by table.
 * @throws when there is a table of which nobody can tell whose its rows are
 */
export function rowsOf(intercom: TestDaemon, scopeId: string): Record<string, string[]> {
  return intercom.sql((db) => {
    const { no } = db.prepare("SELECT no FROM scopes WHERE id = ?").get(scopeId) as { no: number };
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all() as string[];
    return Object.fromEntries(
      tables
        .filter((table) => !OF_NO_SCOPE.includes(table))
        .map((table) => {
          const condition = ownership(db, table);
          if (condition === undefined) throw new Error(`Whose are the rows of ${table}? Tell it to the snapshot`);
          const rows = db.prepare(`SELECT * FROM ${table} WHERE ${condition}`).all(no);
          return [table, rows.map((row) => JSON.stringify(row)).sort()];
        }),
    );
  });
}

/** Every id in the stored rows of a scope: values of columns called `id` or `something_id`. */
export function idsOf(intercom: TestDaemon, scopeId: string): Set<string> {
  const ids = new Set<string>();
  for (const row of Object.values(rowsOf(intercom, scopeId)).flat()) {
    for (const [column, value] of Object.entries(JSON.parse(row) as Record<string, unknown>)) {
      if (typeof value === "string" && /(^|_)id$/.test(column)) ids.add(value);
    }
  }
  return ids;
}

/** What a column of this name holds in the stored rows of a scope, whatever the table. */
export function columnValues(intercom: TestDaemon, scopeId: string, column: string): string[] {
  return Object.values(rowsOf(intercom, scopeId))
    .flat()
    .map((row) => (JSON.parse(row) as Record<string, unknown>)[column])
    .filter((value) => typeof value === "string");
}
