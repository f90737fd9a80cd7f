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
import { dirname, join } from "node:path";
import { z } from "zod";
import { syncDirectory } from "./durability.ts";

/** Who started a daemon, and therefore who looks after it. */
export const DAEMON_OWNERS = ["cli", "desktop", "service"] as const;
export type DaemonOwner = (typeof DAEMON_OWNERS)[number];

const MAX_BYTES = 64 * 1024;

const runFile = z.strictObject({
  address: z.url({ protocol: /^https?$/ }),
  /** Where clients of October Bus 0.1 find the daemon, when they may. */
  octoberBusAddress: z.url({ protocol: /^https?$/ }).optional(),
  pid: z.int().positive(),
  instanceId: z.string().min(1),
  version: z.string().min(1),
  protocolVersion: z.string().min(1),
  /** Version of the database schema. */
  schema: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  owner: z.enum(DAEMON_OWNERS),
  adminToken: z.string().regex(/^[A-Za-z0-9_-]{32,256}$/),
});

/** What a running daemon leaves for the programs of its user: where it is, what it speaks, and the admin credential. */
export type RunFile = z.output<typeof runFile>;

export type RunFileReading =
  | { readonly state: "absent" }
  /** Something is there, and following it could hand our credential to a stranger. */
  | { readonly state: "untrusted"; readonly reason: string }
  | { readonly state: "present"; readonly run: RunFile };

/** Replaces the run file in one step: a reader sees the old or the new one, and only the owner can read it. */
export function writeRunFile(path: string, content: RunFile): void {
  const data = `${JSON.stringify(runFile.parse(content), null, 2)}\n`;
  const temporary = join(dirname(path), `.run-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
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

/** Reads the run file only if nobody but the current user can have written it. Never throws. */
export function readRunFile(path: string): RunFileReading {
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
    return problem ? untrusted(problem) : parse(path, readFileSync(descriptor, "utf8"));
  } catch (error) {
    return untrusted(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes the run file if it is still the one of `instanceId`; tells whether it did. */
export function removeRunFile(path: string, instanceId: string): boolean {
  const reading = readRunFile(path);
  if (reading.state !== "present" || reading.run.instanceId !== instanceId) return false;
  return unlinkQuietly(path);
}

function parse(path: string, source: string): RunFileReading {
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return untrusted(`${path} is not valid JSON`);
  }
  const result = runFile.safeParse(data);
  if (result.success) return { state: "present", run: result.data };
  const issue = result.error.issues[0];
  // The values stay out of the sentence: one of them is the credential.
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

function untrusted(reason: string): RunFileReading {
  return { state: "untrusted", reason };
}

function unlinkQuietly(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
