import type { Transaction } from "../../core/index.ts";
import type { Connection } from "./open.ts";
import { ConnectionTransaction } from "./statements.ts";

/** Reads one after the other on a connection of its own, each on a consistent snapshot, never blocked by the writer. */
export class SnapshotReader {
  readonly #connection: Connection;
  readonly #tx: ConnectionTransaction;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#tx = new ConnectionTransaction(connection);
  }

  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = this.#tail.then(() => this.#run(work));
    this.#tail = result.catch(() => {});
    return result;
  }

  async #run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.#connection.exec("BEGIN");
    try {
      return await work(this.#tx);
    } finally {
      this.#connection.exec("COMMIT");
    }
  }

  async drain(): Promise<void> {
    await this.#tail;
  }
}
