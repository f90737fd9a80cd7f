import type { Transaction } from "../core/index.ts";

export interface StorageSize {
  readonly backend: string;
  readonly databaseBytes: number;
  readonly walBytes: number;
}

/** Durable data behind the core. */
export interface Store {
  readonly backend: string;
  /** Version of the schema in use. */
  readonly schema: number;
  /**
   * Runs `work` in a transaction and resolves once it is on disk. Work may run a second time when the first attempt was
   * lost together with its neighbours, so it must depend on nothing but the transaction.
   */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs `work` on a snapshot of what has been committed. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Whether reading and writing work right now. */
  probe(): Promise<boolean>;
  size(): StorageSize;
  /** Finishes what was begun, folds the log into the database and lets go of it. */
  close(): Promise<void>;
}
