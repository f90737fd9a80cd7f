import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Marks files that mean nothing once the work they were made for is over, however it ended. */
const PREFIX = "temporary-";

/** A name for a file that is removed when the daemon starts, should it still be there. */
export function temporaryFile(directory: string, kind: string): string {
  return join(directory, `${PREFIX}${kind}-${randomUUID()}`);
}

/** What work that was cut off has left. Only while no daemon uses the directory: it may be at work on them. */
export function temporaryFilesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(directory, name));
}

/** Removes what work of a daemon that did not stop cleanly has left. */
export function removeTemporaryFiles(directory: string): void {
  for (const file of temporaryFilesIn(directory)) rmSync(file, { force: true });
}
