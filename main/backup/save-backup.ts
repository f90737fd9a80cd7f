import { existsSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "../../daemon/runtime/durability.ts";
import { IntercomError, isIntercomError } from "../../protocol/errors.ts";

/**
 * Writes a backup into a file for this user alone. It has its name once all of it is on disk, so a file that was there
 * before, which the human has agreed to replace, is lost only to a whole one.
 * @throws {IntercomError} INTERNAL with `details.reason` `disk_full` or `not_written`, or what ended the backup
 */
export async function saveBackup(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly file: string; readonly bytes: number }> {
  const partial = `${file}.partial`;
  let bytes = 0;
  try {
    if (existsSync(partial)) rmSync(partial);
    const handle = await open(partial, "wx", 0o600);
    try {
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        bytes += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
    syncDirectory(dirname(file));
    return { file, bytes };
  } catch (error) {
    rmSync(partial, { force: true });
    throw isIntercomError(error) ? error : notWritten(file, error);
  }
}

function notWritten(file: string, error: unknown): IntercomError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  const isFull = code === "ENOSPC" || code === "EDQUOT";
  return new IntercomError(
    "INTERNAL",
    isFull ? "There is no backup: the disk is full." : `There is no backup: the file cannot be written (${code}).`,
    { reason: isFull ? "disk_full" : "not_written", file },
    { cause: error },
  );
}

/** A name that sorts by time, such as `agent-intercom-2026-01-31.db`. */
export function backupName(now: number): string {
  return `agent-intercom-${new Date(now).toISOString().slice(0, 10)}.db`;
}
