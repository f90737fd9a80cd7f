import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import type { ArchiveKind, ArchiveSource, StagedRecord } from "../../core/index.ts";
import type { Connection } from "./open.ts";

/** A record that has been checked, on its way into the staging file. */
export interface StageableRecord {
  readonly kind: ArchiveKind;
  readonly extended: boolean;
  readonly position: number;
  /** The record's id, where it has one. */
  readonly id: string | undefined;
  /** When it came into being, ms since the epoch. */
  readonly at: number;
  readonly record: unknown;
}

interface StagedRow {
  readonly extended: number;
  readonly position: number;
  readonly id: string | null;
  readonly at: number;
  readonly json: string;
}

/** Records of the format in their order, each as the extensions have it where they do. */
const PLAIN = `SELECT x.no IS NOT NULL AS extended, COALESCE(x.position, s.position) AS position, s.id, s.at,
    COALESCE(x.json, s.json) AS json
  FROM records s LEFT JOIN records x ON x.kind = s.kind AND x.extended = 1 AND x.id = s.id
 WHERE s.kind = ? AND s.extended = 0 ORDER BY s.position`;

/** Records that only the extensions have, in their order. */
const ADDED = `SELECT extended, position, id, at, json FROM records s WHERE kind = ? AND extended = 1 AND NOT EXISTS (
    SELECT 1 FROM records p WHERE p.kind = s.kind AND p.extended = 0 AND p.id = s.id) ORDER BY position`;

/** Records of an archive, put down in a file of their own so that memory need not hold them. */
export class Staging {
  readonly #file: string;
  readonly #connection: Connection;

  /** @param file must not exist; is removed by {@link close} */
  constructor(file: string) {
    this.#file = file;
    this.#connection = new Database(file);
    // Worth nothing after a crash, so it need not survive one.
    this.#connection.pragma("journal_mode = OFF");
    this.#connection.pragma("synchronous = OFF");
    this.#connection.pragma("locking_mode = EXCLUSIVE");
    this.#connection.exec(`
      CREATE TABLE records (
        no INTEGER PRIMARY KEY, kind TEXT NOT NULL, extended INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT,
        at INTEGER NOT NULL, json TEXT NOT NULL) STRICT;
      BEGIN`);
  }

  /** Takes records in. */
  get add(): (staged: StageableRecord) => void {
    const insert = this.#connection.prepare(
      "INSERT INTO records (kind, extended, position, id, at, json) VALUES (?, ?, ?, ?, ?, ?)",
    );
    return ({ kind, extended, position, id, at, record }) => {
      insert.run(kind, extended ? 1 : 0, position, id ?? null, at, JSON.stringify(record));
    };
  }

  /**
   * Ends taking records in, and makes them readable.
   * @returns a record whose id an earlier one of its list has, if there is one
   */
  finish(): Pick<StageableRecord, "kind" | "extended" | "position" | "id"> | undefined {
    this.#connection.exec(`
      CREATE INDEX records_id ON records (kind, extended, id, position);
      CREATE INDEX records_order ON records (kind, extended, position);
      COMMIT`);
    type Found = { kind: ArchiveKind; extended: number; position: number; id: string };
    const found = this.#connection
      .prepare<[], Found>(
        `SELECT kind, extended, MAX(position) AS position, id FROM records WHERE id IS NOT NULL
          GROUP BY kind, extended, id HAVING COUNT(*) > 1 LIMIT 1`,
      )
      .get();
    return found && { ...found, extended: found.extended === 1 };
  }

  readonly records: ArchiveSource["records"] = (kind) => this.#records(kind);

  *#records<K extends ArchiveKind>(kind: K): Generator<StagedRecord<K>> {
    const added = this.#connection.prepare<[string], StagedRow>(ADDED).iterate(kind);
    try {
      let next = added.next();
      for (const row of this.#connection.prepare<[string], StagedRow>(PLAIN).iterate(kind)) {
        for (; !next.done && comesBefore(next.value, row); next = added.next()) yield toStaged(next.value);
        yield toStaged(row);
      }
      for (; !next.done; next = added.next()) yield toStaged(next.value);
    } finally {
      added.return?.();
    }
  }

  close(): void {
    this.#connection.close();
    rmSync(this.#file, { force: true });
  }
}

/** Ids tell the order of what came into being in one millisecond. */
function comesBefore(a: StagedRow, b: StagedRow): boolean {
  return a.at === b.at ? (a.id ?? "") < (b.id ?? "") : a.at < b.at;
}

function toStaged<K extends ArchiveKind>({ position, extended, json }: StagedRow): StagedRecord<K> {
  const record = JSON.parse(json) as StagedRecord<K>["record"];
  return { position, record, extended: extended === 1 ? (record as StagedRecord<K>["extended"]) : undefined };
}
