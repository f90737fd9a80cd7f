import { statSync } from "node:fs";
import type { Transaction } from "../../core/index.ts";
import { SCHEMA_VERSION } from "../migrations/index.ts";
import type { StorageSize, Store } from "../store.ts";
import { isStorageFailure, toCallerError } from "./errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { type Connection, type OpenReport, openDatabase } from "./open.ts";
import { SnapshotReader } from "./snapshot-reader.ts";

/** The embedded store: one SQLite file, one writer with group commit, one reader. */
export class SqliteStore implements Store {
  readonly backend = "sqlite";
  readonly schema = SCHEMA_VERSION;
  readonly report: OpenReport;
  readonly #file: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #commits: GroupCommit;
  readonly #snapshots: SnapshotReader;
  #failing = false;

  private constructor(file: string) {
    const { writer, reader, report } = openDatabase(file);
    this.#file = file;
    this.#writer = writer;
    this.#reader = reader;
    this.report = report;
    this.#commits = new GroupCommit(writer, (error) => {
      if (isStorageFailure(error)) this.#failing = true;
    });
    this.#snapshots = new SnapshotReader(reader);
  }

  /** @param file path of the database, created when missing */
  static open(file: string): SqliteStore {
    return new SqliteStore(file);
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      const value = await this.#commits.submit(work);
      return value;
    } catch (error) {
      throw toCallerError(error);
    }
  }

  async read<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.#snapshots.read(work);
    } catch (error) {
      throw toCallerError(error);
    }
  }

  async probe(): Promise<boolean> {
    try {
      await this.read((tx) => tx.get("SELECT 1 AS one"));
      if (this.#failing) {
        await this.write(takeRoom);
        this.#failing = false;
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Keeps the file from growing beyond `pages` database pages, as a full disk does; without a number it may grow again. */
  limitPages(pages = 0xffff_fffe): void {
    this.#writer.pragma(`max_page_count = ${pages}`);
  }

  size(): StorageSize {
    const bytes = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return { backend: this.backend, databaseBytes: bytes(this.#file), walBytes: bytes(`${this.#file}-wal`) };
  }

  async close(): Promise<void> {
    await this.#commits.drain();
    await this.#snapshots.drain();
    this.#reader.close();
    try {
      this.#writer.pragma("wal_checkpoint(TRUNCATE)");
    } finally {
      this.#writer.close();
    }
  }
}

/**
 * Only a write can tell whether writing works again, and only one that needs room whether there is any: a change in
 * place succeeds on a disk that cannot take a single message more. Leaves nothing behind.
 */
async function takeRoom(tx: Transaction): Promise<void> {
  await tx.run("CREATE TABLE probe (data BLOB NOT NULL)");
  await tx.run("INSERT INTO probe (data) VALUES (zeroblob(65536))");
  await tx.run("DROP TABLE probe");
}
