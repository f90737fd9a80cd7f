import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { z } from "zod";
import {
  ARCHIVE_EXTENSION_RECORDS,
  ARCHIVE_RECORDS,
  archiveHead,
  IntercomError,
  isIntercomError,
  type LinkPolicy,
  linkPolicy,
  parseInput,
} from "../../protocol/index.ts";
import type { ArchiveKind } from "../core/index.ts";
import type { StageableRecord } from "../store/index.ts";
import { type Handling, JsonSplitter } from "./json-splitter.ts";

export interface ArchiveFacts {
  readonly scope: { readonly id: string; readonly createdAt: string };
  readonly linkPolicy: LinkPolicy | undefined;
  readonly digest: string;
}

/**
 * Takes an archive apart as it is read: each record is checked on its own and handed on, and nothing but that one is held.
 * @throws {IntercomError} INVALID_ARGUMENT that names the place, e.g. `messages.12.body: ...`
 */
export async function readArchive(file: string, onRecord: (record: StageableRecord) => void): Promise<ArchiveFacts> {
  const reader = new ArchiveReader(onRecord);
  const splitter = new JsonSplitter(reader);
  for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) splitter.write(chunk as Buffer);
  splitter.end();
  return reader.facts();
}

const EXTENSIONS = "extensions";
const LINK_POLICY = "extensions.linkPolicy";

/** The schema of each record by the path of its list. */
const RECORDS: ReadonlyMap<string, z.ZodType<Dated>> = new Map<string, z.ZodType<Dated>>([
  ...Object.entries(ARCHIVE_RECORDS),
  ...Object.entries(ARCHIVE_EXTENSION_RECORDS).map(([name, schema]) => [`${EXTENSIONS}.${name}`, schema] as const),
]);

/** What is read as one value. */
const WHOLE: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...Object.entries(archiveHead),
  [LINK_POLICY, linkPolicy],
]);

class ArchiveReader {
  readonly #onRecord: (record: StageableRecord) => void;
  readonly #values = new Map<string, unknown>();
  readonly #hashes = new Map<string, Hash>();
  readonly #seen = new Set<string>();

  constructor(onRecord: (record: StageableRecord) => void) {
    this.#onRecord = onRecord;
  }

  begin(path: string): Handling {
    if (!WHOLE.has(path) && !RECORDS.has(path) && path !== EXTENSIONS) throw fault(path, "unknown field");
    if (this.#seen.has(path)) throw fault(path, "expected once");
    this.#seen.add(path);
    if (path === EXTENSIONS) return "object";
    return WHOLE.has(path) ? "whole" : "list";
  }

  value(path: string, index: number | undefined, value: unknown): void {
    if (index === undefined) {
      const checked = check(WHOLE.get(path) as z.ZodType, value, path);
      this.#values.set(path, checked);
      this.#hash(path, checked);
      return;
    }
    const record = check(RECORDS.get(path) as z.ZodType<Dated>, value, `${path}.${index}`);
    this.#hash(path, record);
    const extended = path.startsWith(`${EXTENSIONS}.`);
    this.#onRecord({
      kind: (extended ? path.slice(EXTENSIONS.length + 1) : path) as ArchiveKind,
      extended,
      position: index,
      id: record.id,
      at: Date.parse(record.createdAt ?? record.registeredAt ?? ""),
      record,
    });
  }

  /** What is known once everything was read. @throws {IntercomError} INVALID_ARGUMENT when something was not there */
  facts(): ArchiveFacts {
    const extended = this.#seen.has(EXTENSIONS);
    const missing = [...WHOLE.keys(), ...RECORDS.keys()].find(
      (path) => !this.#seen.has(path) && (extended || !path.startsWith(`${EXTENSIONS}.`)),
    );
    if (missing !== undefined) throw fault(missing, "is required");
    return {
      scope: this.#values.get("scope") as ArchiveFacts["scope"],
      linkPolicy: this.#values.get(LINK_POLICY) as LinkPolicy | undefined,
      digest: this.#digest(),
    };
  }

  #hash(path: string, value: unknown): void {
    let hash = this.#hashes.get(path);
    if (!hash) {
      hash = createHash("sha256");
      this.#hashes.set(path, hash);
    }
    hash.update(`${JSON.stringify(sorted(value))}\n`);
  }

  /** The same for the same records, however the text was laid out. */
  #digest(): string {
    const all = createHash("sha256");
    for (const [path, hash] of [...this.#hashes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      all.update(`${path} ${hash.digest("hex")}\n`);
    }
    return all.digest("hex");
  }
}

/** The same value with the members of every object in one order; unlike for any other value. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, entry]) => [name, sorted(entry)]) };
}

interface Dated {
  readonly id?: string;
  readonly createdAt?: string;
  readonly registeredAt?: string;
}

function fault(path: string, problem: string): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", `${path}: ${problem}`);
}

function check<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  try {
    return parseInput(schema, value);
  } catch (error) {
    if (!isIntercomError(error)) throw error;
    const [first] = (error.details?.issues ?? []) as { field: string }[];
    const separator = first?.field === "" ? ": " : ".";
    throw new IntercomError("INVALID_ARGUMENT", path + separator + error.message, undefined, { cause: error });
  }
}
