import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { decode } from "../edit/text.ts";
import { ConnectError } from "../error.ts";

/** A configuration file as it was read. */
export interface ConfigFile {
  /** As the client names it, perhaps a symbolic link. */
  readonly path: string;
  /** Where the content is: links followed. */
  readonly realPath: string;
  readonly text: string;
  /** Nothing when there is no file yet. */
  readonly was:
    | { readonly digest: string; readonly mode: number; readonly uid: number; readonly gid: number }
    | undefined;
}

/** @throws {ConnectError} BROKEN_FILE or UNWRITABLE when it is something that we must not touch. */
export function readConfigFile(path: string): ConfigFile {
  const realPath = followLinks(path);
  let stats: Stats;
  let bytes: Buffer;
  try {
    stats = statSync(realPath);
    if (!stats.isFile()) throw new ConnectError("UNWRITABLE", `${path} is not a file.`);
    bytes = readFileSync(realPath);
  } catch (error) {
    if (isAbsent(error)) return { path, realPath, text: "", was: undefined };
    throw explain(error, path, "read");
  }
  const { mode, uid, gid } = stats;
  return { path, realPath, text: decode(bytes, path), was: { digest: digestOf(bytes), mode: mode & 0o7777, uid, gid } };
}

/** True while the file is as it was read. */
export function isUnchanged({ path, realPath, was }: ConfigFile): boolean {
  try {
    return followLinks(path) === realPath && digestOf(readFileSync(realPath)) === was?.digest;
  } catch (error) {
    if (isAbsent(error)) return was === undefined;
    throw explain(error, path, "read");
  }
}

function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isAbsent(error)) throw explain(error, path, "read");
  }
  // A link that leads nowhere: making a file would either replace the link or appear where nobody expects it.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new ConnectError("UNWRITABLE", `${path} is a link that leads nowhere.`);
  }
  return path;
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** An error of the file system's as one of ours. */
export function explain(error: unknown, path: string, action: "read" | "written"): ConnectError {
  if (error instanceof ConnectError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the disk is read-only",
    ENOSPC: "the disk is full",
    ENOTDIR: "a part of its path is not a folder",
    ELOOP: "its links lead in a circle",
  };
  return new ConnectError("UNWRITABLE", `${path} cannot be ${action}: ${reasons[code ?? ""] ?? message}.`, {
    cause: error,
  });
}
