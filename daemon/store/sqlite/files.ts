import { lstatSync } from "node:fs";
import { IntercomError } from "../../../protocol/index.ts";

/** Refuses whatever stands in place of a file of ours: through a link we would change what is somebody else's. */
export function requireRegularFile(file: string): { readonly names: number } | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) throw new IntercomError("CONFLICT", `${file} is not a regular file; refusing to use it`);
  return { names: stat.nlink };
}

/** Says in a sentence why SQLite could not use a file; any other error is given back as it is. */
export function explainOpening(file: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    const message = `${file} is damaged or not a database. Restore a backup or move it away.`;
    return new IntercomError("INTERNAL", message, undefined, { cause: error });
  }
  if (/^SQLITE_(CANTOPEN|READONLY|PERM)|^(EACCES|EPERM)$/.test(code)) {
    const message = `${file} cannot be opened for writing. Give it to the user who runs the daemon, or choose another directory.`;
    return new IntercomError("PERMISSION_DENIED", message, undefined, { cause: error });
  }
  return error;
}

/** What the system or SQLite said, without what was made of it on the way. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
