import { statSync } from "node:fs";
import type { Transaction } from "../../core/index.ts";
import { SCHEMA_VERSION } from "../migrations/index.ts";
import type { StorageSize, Store } from "../store.ts";
import { isStorageFailure, toCallerError } from "./errors.ts";
import { GroupCommit } from "./group-commit.ts";
import { type Connection, LOG_PAGES, type OpenReport, openDatabase } from "./open.ts";
import { SnapshotReader } from "./snapshot-reader.ts";

/** The embedded store: one SQLite file, one writer with group commit, one reader. */
export class SqliteStore implements Store {
  readonly backend = "sqlite";
  readonly schema = SCHEMA_VERSION;
  readonly report: OpenReport;
  /** Path of the database. */
  readonly file: string;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #commits: GroupCommit;
  readonly #snapshots: SnapshotReader;
  #failing = false;
  /** Those who want the log left alone. */
  #logKeepers = 0;

  private constructor(file: string, now: number) {
    const { writer, reader, report } = openDatabase(file, now);
    this.file = file;
    this.#writer = writer;
    this.#reader = reader;
    this.report = report;
    this.#commits = new GroupCommit(writer, (error) => {
      if (isStorageFailure(error)) this.#failing = true;
    });
    this.#snapshots = new SnapshotReader(reader);
  }

  /**
   * @param file path of the database, created when missing
   * @param now wall clock, ms since the epoch
   */
  static open(file: string, now = Date.now()): SqliteStore {
    return new SqliteStore(file, now);
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

  /** Runs `work` while nothing is written through this store: for writers with a connection of their own. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#commits.pauseFor(work);
  }

  /**
   * Runs `work` while the writer does not fold its log. A snapshot that is kept for long lets the log grow, and whoever
   * commits first after it would have all of that to fold while everybody waits: `work` should end with doing it.
   */
  async withLogLeftAlone<T>(work: () => Promise<T>): Promise<T> {
    this.#logKeepers += 1;
    this.#writer.pragma("wal_autocheckpoint = 0");
    try {
      return await work();
    } finally {
      this.#logKeepers -= 1;
      if (this.#logKeepers === 0) this.#writer.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    }
  }

  /** Keeps the file from growing beyond `pages` database pages, as a full disk does; without a number it may grow again. */
  limitPages(pages = 0xffff_fffe): void {
    this.#writer.pragma(`max_page_count = ${pages}`);
  }

  size(): StorageSize {
    const bytes = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return { backend: this.backend, databaseBytes: bytes(this.file), walBytes: bytes(`${this.file}-wal`) };
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
