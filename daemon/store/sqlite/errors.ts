import { IntercomError } from "../../../protocol/index.ts";

function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return error.code.startsWith("SQLITE_") ? error.code : undefined;
}

/** Whether the error says that storage itself is in trouble, rather than one statement. */
export function isStorageFailure(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|BUSY|NOMEM)/.test(code);
}

function isNoRoom(code: unknown): boolean {
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Says in the protocol's terms what storage could not do. Nothing of the failed call was kept. */
export function toCallerError(error: unknown): unknown {
  const code = sqliteCode(error);
  // Files beside the database run into the same disk.
  const full = code === "SQLITE_FULL" || (error instanceof Error && "code" in error && isNoRoom(error.code));
  if (code === undefined && !full) return error;
  if (full) {
    return new IntercomError(
      "INTERNAL",
      "Storage is full; nothing was accepted. Free disk space and try again.",
      { reason: "storage_full" },
      { cause: error },
    );
  }
  if (isStorageFailure(error)) {
    return new IntercomError(
      "INTERNAL",
      "Storage is unavailable; nothing was accepted",
      { reason: "storage_unavailable" },
      {
        cause: error,
      },
    );
  }
  return error;
}
