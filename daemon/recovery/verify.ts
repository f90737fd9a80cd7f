import { type Stats, statSync } from "node:fs";
import { IntercomError } from "../../protocol/index.ts";
import { explainOpening, type Inspection, inspectDatabase, SCHEMA_VERSION } from "../store/index.ts";

/** What a backup holds, and whether it can be trusted. */
export interface BackupReport {
  readonly file: string;
  readonly bytes: number;
  /** Version of its schema, and the newest one this program knows. */
  readonly schema: number;
  readonly knownSchema: number;
  /** Records by kind. Empty when it is not sound. */
  readonly counts: Readonly<Record<string, number>>;
  /** Why it cannot be restored, each a sentence. None: it is sound. */
  readonly problems: readonly string[];
}

/** Kinds of records by the table they are in. All plurals end in an s. */
const KINDS: Readonly<Record<string, string>> = {
  scopes: "scopes",
  agents: "agents",
  messages: "messages",
  tasks: "tasks",
  escalations: "questions",
  events: "events",
  output_streams: "output streams",
  output_values: "output values",
  a2a_publications: "publications",
  a2a_tasks: "A2A tasks",
  principals: "outside credentials",
};

/**
 * Examines every page of a backup. Nothing is changed.
 * @throws {IntercomError} NOT_FOUND, INVALID_ARGUMENT when it is no file, PERMISSION_DENIED when it may not be read
 */
export function verifyBackup(file: string): BackupReport {
  const { size: bytes } = requireFile(file);
  const known = { file, bytes, knownSchema: SCHEMA_VERSION };
  let found: Inspection;
  try {
    found = inspectDatabase(file);
  } catch (error) {
    const explained = explainOpening(file, error);
    if (!isDamage(error)) throw explained;
    return {
      ...known,
      schema: 0,
      counts: {},
      problems: [`It is damaged, or not a database at all (${error.message}).`],
    };
  }
  const counts = Object.entries(KINDS).flatMap(([table, kind]) => {
    const count = found.rows[table];
    return count === undefined ? [] : [[kind, count] as const];
  });
  return { ...known, schema: found.schema, counts: Object.fromEntries(counts), problems: problemsOf(found) };
}

function problemsOf({ ours, schema, problems }: Inspection): string[] {
  if (!ours) return ["It is a database, but not one of Agent Intercom."];
  const damage = problems.map((problem) => `It is damaged: ${problem}.`);
  if (schema <= SCHEMA_VERSION) return damage;
  const newer = `It was written by a newer Agent Intercom (schema ${schema}, this one knows ${SCHEMA_VERSION}). Update first.`;
  return [newer, ...damage];
}

/** Whether SQLite gave up on what it found in the file, rather than on opening it. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(String(error.code));
}

function requireFile(file: string): Stats {
  let stats: Stats;
  try {
    stats = statSync(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") throw new IntercomError("NOT_FOUND", `There is no file ${file}`);
    throw explainOpening(file, error);
  }
  if (!stats.isFile()) throw new IntercomError("INVALID_ARGUMENT", `${file} is not a file`);
  return stats;
}
