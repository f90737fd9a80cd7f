import type { Statement } from "better-sqlite3";
import type { Transaction } from "../../core/index.ts";
import type { Connection } from "./open.ts";
import { ConnectionTransaction } from "./statements.ts";

/** Reads one after the other on a connection of its own, each on a consistent snapshot, never blocked by the writer. */
export class SnapshotReader {
  readonly #tx: ConnectionTransaction;
  readonly #begin: Statement;
  readonly #end: Statement;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#begin = connection.prepare("BEGIN");
    this.#end = connection.prepare("COMMIT");
    this.#tx = new ConnectionTransaction(connection);
  }

  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => this.#run(work));
    this.#tail = result.catch(() => {});
    return result;
  }

  async #run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#begin.run();
    try {
      return await work(this.#tx);
    } finally {
      this.#end.run();
    }
  }

  async drain(): Promise<void> {
    await this.#tail;
  }
}
