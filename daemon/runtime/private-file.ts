import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import type { z } from "zod";
import { syncDirectory } from "./durability.ts";

const MAX_BYTES = 64 * 1024;

export type PrivateReading<Content> =
  | { readonly state: "absent" }
  /** Something is there, and following it could hand a credential of ours to a stranger. */
  | { readonly state: "untrusted"; readonly reason: string }
  | { readonly state: "present"; readonly content: Content };

/** Replaces a file in one step: a reader sees the old or the new one, and only the owner can read it. */
export function writePrivateFile(path: string, content: object): void {
  const data = `${JSON.stringify(content, null, 2)}\n`;
  const name = basename(path, extname(path));
  const temporary = join(dirname(path), `.${name}-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  const descriptor = openSync(temporary, "wx", 0o600);
  try {
    try {
      writeFileSync(descriptor, data);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    unlinkQuietly(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Reads a JSON file only if nobody but the current user can have written it. Never throws. */
export function readPrivateFile<Content>(path: string, schema: z.ZodType<Content>): PrivateReading<Content> {
  let descriptor: number;
  try {
    const place = directoryProblem(dirname(path));
    if (place) return untrusted(place);
    if (lstatSync(path).isSymbolicLink()) return untrusted(`${path} is a symbolic link`);
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
    return untrusted(`${path} cannot be opened (${code ?? "unknown error"})`);
  }
  try {
    const problem = fileProblem(path, fstatSync(descriptor));
    return problem ? untrusted(problem) : parse(path, readFileSync(descriptor, "utf8"), schema);
  } catch (error) {
    return untrusted(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  } finally {
    closeSync(descriptor);
  }
}

function parse<Content>(path: string, source: string, schema: z.ZodType<Content>): PrivateReading<Content> {
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return untrusted(`${path} is not valid JSON`);
  }
  const result = schema.safeParse(data);
  if (result.success) return { state: "present", content: result.data };
  const issue = result.error.issues[0];
  // The values stay out of the sentence: one of them is a credential.
  const field = issue?.code === "unrecognized_keys" ? issue.keys.join(", ") : issue?.path.join(".");
  return untrusted(`${path} does not have the expected form (${field || "not an object"})`);
}

function directoryProblem(path: string): string | undefined {
  if (process.platform === "win32") return undefined;
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `${path} is a symbolic link`;
  if (isForeign(stats)) return `${path} belongs to another user (uid ${stats.uid})`;
  if ((stats.mode & 0o022) !== 0) return `${path} can be written by other users`;
  return undefined;
}

function fileProblem(path: string, stats: Stats): string | undefined {
  if (!stats.isFile()) return `${path} is not a regular file`;
  if (stats.size > MAX_BYTES) return `${path} is larger than ${MAX_BYTES} bytes`;
  if (process.platform === "win32") return undefined;
  if (isForeign(stats)) return `${path} belongs to another user (uid ${stats.uid})`;
  if ((stats.mode & 0o077) !== 0) return `${path} is open to other users (mode ${(stats.mode & 0o777).toString(8)})`;
  return undefined;
}

function isForeign(stats: Stats): boolean {
  const uid = process.getuid?.();
  return uid !== undefined && stats.uid !== uid;
}

function untrusted(reason: string): { readonly state: "untrusted"; readonly reason: string } {
  return { state: "untrusted", reason };
}

/** Removes a file; tells whether it did. */
export function unlinkQuietly(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
