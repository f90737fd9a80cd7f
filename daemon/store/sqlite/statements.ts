import type { Statement } from "better-sqlite3";
import type { SqlValue, Transaction } from "../../core/index.ts";
import type { Connection } from "./open.ts";

/** Prepared statements by their text. The core passes constants, so this stays small. */
class StatementCache {
  readonly #connection: Connection;
  readonly #statements = new Map<string, Statement<SqlValue[]>>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(sql: string): Statement<SqlValue[]> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare<SqlValue[]>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
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
    const statement = this.#statements.get(sql);
    if (!statement.readonly) this.#beforeWrite();
    return statement.get(...parameters) as Row | undefined;
  }

  async all<Row>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row[]> {
    return this.#statements.get(sql).all(...parameters) as Row[];
  }

  async run(sql: string, ...parameters: readonly SqlValue[]): Promise<number> {
    const statement = this.#statements.get(sql);
    this.#beforeWrite();
    return statement.run(...parameters).changes;
  }
}
