import { existsSync } from "node:fs";
import { type Directories, resolveDirectories } from "../runtime/index.ts";
import {
  earlierStates,
  explainOpening,
  type HeldLock,
  inspectDatabase,
  readSnapshotAside,
  SCHEMA_VERSION,
  tryLock,
  writeAlone,
} from "../store/index.ts";
import { type Fault, findFaults, repairFaults } from "./faults.ts";
import { closeOpenFiles, findLeftovers, findOpenFiles, removeLeftovers } from "./files.ts";
import { isDamage } from "./verify.ts";

/** Something that is wrong with the data or the files around it. */
export interface DataFinding extends Fault {
  /** `waits`: cannot be repaired while the daemon runs. */
  readonly state: "found" | "repaired" | "waits";
}

export interface DataCheck {
  /** A daemon uses the directory. */
  readonly inUse: boolean;
  /** There is a database. */
  readonly exists: boolean;
  readonly findings: readonly DataFinding[];
  /** Why the database cannot be trusted; empty when it is sound, or not there. */
  readonly damage: readonly string[];
  /** Earlier states of the data that lie beside it, newest first. */
  readonly earlierStates: readonly string[];
}

export interface ExamineOptions {
  readonly dataDir?: string | undefined;
  readonly runtimeDir?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Repair what can be repaired safely: with a daemon running only what does not touch the data. */
  readonly repair: boolean;
}

/**
 * Looks for faults in the data and its files. No daemon can start meanwhile, unless one runs already.
 * @throws {IntercomError} when the lock or the database cannot be opened
 */
export async function examineData(options: ExamineOptions): Promise<DataCheck> {
  const directories = resolveDirectories(options);
  const { dataDir, databaseFile, lockFile } = directories;
  if (!existsSync(dataDir)) return { inUse: false, exists: false, findings: [], damage: [], earlierStates: [] };
  const lock = existsSync(lockFile) || existsSync(databaseFile) ? tryLock(lockFile) : NO_LOCK;
  try {
    const files = examineFiles(directories, options.repair, lock === undefined);
    const earlier = earlierStates(databaseFile).map(({ file }) => file);
    const exists = existsSync(databaseFile);
    const known = { inUse: lock === undefined, exists, earlierStates: earlier };
    if (!exists) return { ...known, findings: files, damage: [] };
    const { findings, damage } = await examineDatabase(databaseFile, options.repair, lock === undefined);
    return { ...known, findings: [...files, ...findings], damage };
  } finally {
    lock?.release();
  }
}

/** Stands for the lock where nothing is that could be held. */
const NO_LOCK: HeldLock = { release: () => {} };

function examineFiles(directories: Directories, repair: boolean, inUse: boolean): DataFinding[] {
  const open = findOpenFiles(directories);
  // Some of them may be what the daemon is at work on.
  const leftovers = inUse ? [] : findLeftovers(directories);
  const readable = open.filter((file) => file === directories.runFile);
  return [
    ...fileFinding("open-run-file", readable, repair && closeOpenFiles, {
      found: () => "The run file is open to other users",
      meaning: "Whoever read the credential in it may do everything you may, until the daemon is started again.",
    }),
    ...fileFinding(
      "open-files",
      open.filter((file) => !readable.includes(file)),
      repair && closeOpenFiles,
      {
        found: (n) => `${n === 1 ? "A file is" : `${n} files are`} open to other users`,
        meaning: "They hold credentials and what agents write to each other.",
      },
    ),
    ...fileFinding("leftover-files", leftovers, repair && removeLeftovers, {
      found: (n) => `${n === 1 ? "A temporary file is" : `${n} temporary files are`} left over`,
      meaning: "They take room and mean nothing.",
    }),
  ];
}

function fileFinding(
  check: string,
  files: readonly string[],
  repair: false | ((files: readonly string[]) => void),
  text: { readonly found: (n: number) => string; readonly meaning: string },
): DataFinding[] {
  if (files.length === 0) return [];
  if (repair) repair(files);
  const found = `${text.found(files.length)}: ${files.join(", ")}`;
  return [{ check, found, meaning: text.meaning, state: repair ? "repaired" : "found" }];
}

async function examineDatabase(
  file: string,
  repair: boolean,
  inUse: boolean,
): Promise<Pick<DataCheck, "findings" | "damage">> {
  let schema: number;
  try {
    const found = inspectDatabase(file, "quick");
    if (found.problems.length > 0) return { findings: [], damage: found.problems };
    schema = found.schema;
  } catch (error) {
    if (isDamage(error)) return { findings: [], damage: [error.message] };
    throw explainOpening(file, error);
  }
  // The next start migrates an older one, and refuses a newer one with a sentence.
  if (schema !== SCHEMA_VERSION) return { findings: [], damage: [] };
  if (repair && !inUse) {
    const repaired = await writeAlone(file, repairFaults);
    return { findings: repaired.map((fault) => ({ ...fault, state: "repaired" })), damage: [] };
  }
  const faults = await readSnapshotAside(file, findFaults);
  return { findings: faults.map((fault) => ({ ...fault, state: inUse ? "waits" : "found" })), damage: [] };
}
