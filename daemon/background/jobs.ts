import { closeSync, openSync, writeSync } from "node:fs";
import { IntercomError } from "../../protocol/index.ts";
import type { ArchiveSource, Context, ExportRequest, ImportOutcome, Transaction } from "../core/index.ts";
import {
  type AnyBackgroundRead,
  type BackgroundReadName,
  backgroundReads,
  exportArchive,
  findImported,
  importArchive,
  shiftLeases,
} from "../core/index.ts";
import { TimeOrderedIds } from "../engine/ids.ts";
import { copyDatabase, foldLog, readSnapshot, Staging, writeAlone } from "../store/index.ts";
import { readArchive } from "./archive-reader.ts";

/** What a worker can be asked to do, as plain data. */
export type Job =
  | {
      readonly kind: "read";
      readonly file: string;
      readonly now: number;
      readonly name: BackgroundReadName;
      readonly input: unknown;
    }
  | { readonly kind: "copy"; readonly file: string; readonly target: string }
  | { readonly kind: "fold"; readonly file: string }
  | {
      readonly kind: "export";
      readonly file: string;
      readonly now: number;
      readonly request: ExportRequest;
      /** A file that is not there yet, for the archive between the two texts. */
      readonly target: string;
      readonly envelope: readonly [before: string, after: string];
    }
  | {
      readonly kind: "import";
      readonly file: string;
      readonly now: number;
      readonly archive: string;
      /** Name for a file of its own, which it removes. */
      readonly staging: string;
    };

/** Told by an import that wants to write: everybody else has to keep still until it is over. */
export const STAGED = "staged";

/** Does a job step by step: each step is asked for, so nothing runs ahead of who takes it. */
export function perform(job: Job): AsyncGenerator<unknown, unknown> {
  switch (job.kind) {
    case "read": {
      const read = backgroundReads[job.name] as unknown as AnyBackgroundRead;
      return readSnapshot(job.file, (tx) => read(contextOf(tx, job.now), job.input));
    }
    case "copy":
      return inOneStep(async () => copyDatabase(job.file, job.target));
    case "fold":
      return inOneStep(async () => foldLog(job.file));
    case "export":
      return takeOut(job);
    case "import":
      return bringIn(job);
  }
}

// biome-ignore lint/correctness/useYield: there is nothing to tell on the way.
async function* inOneStep<T>(work: () => Promise<T>): AsyncGenerator<never, T> {
  return work();
}

/** Tells with each piece how large the file has become. */
async function* takeOut(job: Job & { kind: "export" }): AsyncGenerator<number, undefined> {
  const target = openSync(job.target, "wx", 0o600);
  let size = 0;
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at);
    size += bytes.length;
  };
  try {
    write(job.envelope[0]);
    for await (const piece of readSnapshot(job.file, (tx) => exportArchive(contextOf(tx, job.now), job.request))) {
      write(piece);
      yield size;
    }
    write(job.envelope[1]);
  } finally {
    closeSync(target);
  }
}

async function* bringIn(job: Job & { kind: "import" }): AsyncGenerator<typeof STAGED, ImportOutcome> {
  const staging = new Staging(job.staging);
  try {
    const facts = await readArchive(job.archive, staging.add);
    requireEachOnce(staging.finish());
    const source = { ...facts, records: staging.records };
    // Spares everybody the standstill where there is nothing to be written.
    const earlier = yield* readSnapshot(job.file, (tx) =>
      inOneStep(() => findImported(contextOf(tx, job.now), source)),
    );
    if (earlier) return earlier;
    yield STAGED;
    return await writeAlone(job.file, (tx) => importAlone(contextOf(tx, job.now, "write"), source));
  } finally {
    staging.close();
  }
}

/** Shorter standstills cost nobody a lease. */
const NOTICEABLE_MS = 1000;

/** While an archive is written nobody can renew a lease, so what runs is given that time back. */
async function importAlone(ctx: Context, source: ArchiveSource): Promise<ImportOutcome> {
  const began = performance.now();
  const outcome = await importArchive(ctx, source);
  const stoodStillMs = Math.round(performance.now() - began);
  if (stoodStillMs >= NOTICEABLE_MS) await shiftLeases(ctx, stoodStillMs);
  return outcome;
}

function requireEachOnce(repeated: ReturnType<Staging["finish"]>): void {
  if (!repeated) return;
  const { extended, kind, position, id } = repeated;
  const place = `${extended ? "extensions." : ""}${kind}.${position}`;
  throw new IntercomError("INVALID_ARGUMENT", `${place}.id: ${id} is there twice`);
}

/** A context without listeners: whoever waits in the daemon is told by the one who asked for the job. */
function contextOf(tx: Transaction, now: number, access: Context["access"] = "read"): Context {
  return {
    tx,
    access,
    repeatAsWrite: false,
    now,
    ids: new TimeOrderedIds(() => now),
    outside: { publicUrl: "", version: "", a2aMessageLimit: 0, a2aByteLimit: 0 },
    actor: undefined,
    sharedQuestions: false,
    wakes: new Set(),
    deadline: () => {},
    sessionUsed: () => {},
  };
}
