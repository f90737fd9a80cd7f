import { existsSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { syncDirectory } from "../../daemon/runtime/durability.ts";
import { CliError, usageError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Io } from "../io.ts";

/** What was written, and how long it took. */
export interface Written {
  /** The whole path; undefined for standard output. */
  readonly file: string | undefined;
  readonly bytes: number;
  readonly tookMs: number;
}

interface OutputOptions {
  /** Names the file, or `-` for standard output. */
  readonly output: string;
  /** Overwrite what is there. */
  readonly force?: boolean | undefined;
  /** What is written, for messages: "the backup". */
  readonly what: string;
  /** Not for the eyes: refused where standard output is a terminal. */
  readonly binary?: boolean | undefined;
}

/**
 * Writes what comes into a file for this user alone. It has its name only once all of it is on disk; until then it is
 * `<name>.partial`, which is removed when something goes wrong.
 * @throws {CliError} when it exists already or cannot be written
 */
export async function writeOutput(
  io: Io,
  chunks: AsyncIterable<Uint8Array>,
  { output, force = false, what, binary = false }: OutputOptions,
): Promise<Written> {
  const began = performance.now();
  const tookMs = (): number => Math.round(performance.now() - began);
  if (output === "-") {
    if (binary && io.stdout.isTTY) throw usageError(`Standard output is a terminal, and ${what} is not text.`);
    return { file: undefined, bytes: await pipe(chunks, io.stdout), tookMs: tookMs() };
  }
  const file = resolve(output);
  const partial = `${file}.partial`;
  refuseExisting(file, partial, force);
  const handle = await create(partial, what);
  try {
    const bytes = await fill(handle, chunks, partial);
    // Nobody else's file that appeared meanwhile is overwritten.
    if (!force && existsSync(file)) refuseExisting(file, undefined, false);
    await rename(partial, file);
    syncDirectory(dirname(file));
    return { file, bytes, tookMs: tookMs() };
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

function refuseExisting(file: string, partial: string | undefined, force: boolean): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw usageError(`--output: ${file} is not a file.`);
  const conflict = { exitCode: EXIT.conflict, code: "EXISTS" };
  if (found && !force) {
    throw new CliError(`${file} exists already.`, {
      ...conflict,
      hint: "Choose another name, or overwrite it with --force.",
    });
  }
  if (partial === undefined || !existsSync(partial)) return;
  if (!force) {
    throw new CliError(`${partial} exists already: another command is writing it, or one was cut off.`, {
      ...conflict,
      hint: "If none is running, overwrite it with --force.",
    });
  }
  rmSync(partial);
}

async function create(partial: string, what: string): Promise<FileHandle> {
  try {
    return await open(partial, "wx", 0o600);
  } catch (error) {
    throw cannotWrite(partial, error, `--output names where ${what} goes; the directory has to exist.`);
  }
}

async function fill(handle: FileHandle, chunks: AsyncIterable<Uint8Array>, partial: string): Promise<number> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk).catch((error: unknown) => {
        throw cannotWrite(partial, error, "Nothing of it was kept.");
      });
      bytes += chunk.length;
    }
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

function cannotWrite(file: string, error: unknown, hint: string): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why: Record<string, string> = {
    ENOSPC: "the disk is full",
    ENOENT: "there is no such directory",
    ENOTDIR: "there is no such directory",
    EACCES: "this user may not",
    EPERM: "this user may not",
    EROFS: "the disk can only be read",
  };
  return new CliError(`${file} cannot be written: ${why[code ?? ""] ?? message}.`, { code: "CANNOT_WRITE", hint });
}

async function pipe(chunks: AsyncIterable<Uint8Array>, stdout: Io["stdout"]): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (stdout.write(chunk) === false) await room(stdout);
  }
  return bytes;
}

/** A slow reader must not make us hold all of it. One that goes away is told by its end. */
function room(stdout: Io["stdout"]): Promise<void> {
  return new Promise((proceed) => {
    for (const event of ["drain", "close"] as const) stdout.once?.(event, proceed);
  });
}
