import type { Statement } from "better-sqlite3";
import type { SqlValue, Transaction } from "../../core/index.ts";
import type { Connection } from "./open.ts";

interface CachedStatement {
  readonly statement: Statement<SqlValue[]>;
  readonly readonly: boolean;
}

/**
 * Wraps every parameter so that the query planner does not see it.
 *
 * SQLite built with STAT4, as this one is, plans a statement again whenever a parameter that could change the plan gets
 * a value, which is on every use: a join of two rows by key then takes 9 us instead of 1. Our plans never depend on
 * values. Remove when better-sqlite3 can set SQLITE_DBCONFIG_ENABLE_QPSG, which promises just that.
 */
function hideParameters(sql: string): string {
  return sql.startsWith("INSERT") ? sql : sql.replaceAll("?", "coalesce(?, NULL)");
}

/** Prepared statements by their text. The core passes constants, so this stays small. */
class StatementCache {
  readonly #connection: Connection;
  readonly #statements = new Map<string, CachedStatement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(sql: string): CachedStatement {
    let cached = this.#statements.get(sql);
    if (!cached) {
      const statement = this.#connection.prepare<SqlValue[]>(hideParameters(sql));
      cached = { statement, readonly: statement.readonly };
      this.#statements.set(sql, cached);
    }
    return cached;
  }
}

/**
 * The transaction interface over one connection. SQLite answers at once, so every promise is settled when returned and
 * a whole piece of work runs without giving the event loop a turn.
 */
export class ConnectionTransaction implements Transaction {
  readonly #statements: StatementCache;
  readonly #beforeWrite: () => void;

  constructor(connection: Connection, beforeWrite: () => void = () => {}) {
    this.#statements = new StatementCache(connection);
    this.#beforeWrite = beforeWrite;
  }

  async get<Row>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row | undefined> {
    const { statement, readonly } = this.#statements.get(sql);
    if (!readonly) this.#beforeWrite();
    return statement.get(...parameters) as Row | undefined;
  }

  async all<Row>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row[]> {
    const { statement, readonly } = this.#statements.get(sql);
    if (!readonly) this.#beforeWrite();
    return statement.all(...parameters) as Row[];
  }

  async run(sql: string, ...parameters: readonly SqlValue[]): Promise<number> {
    const { statement } = this.#statements.get(sql);
    this.#beforeWrite();
    return statement.run(...parameters).changes;
  }
}
