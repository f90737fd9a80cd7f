import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 256 * 1024;

/** The last lines of a file, oldest first, from at most its last 256 KiB. None when it cannot be read. */
export function lastLines(file: string, most: number): string[] {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(descriptor);
    const length = Math.min(size, CHUNK_BYTES);
    const buffer = Buffer.alloc(length);
    const read = readSync(descriptor, buffer, 0, length, size - length);
    const lines = buffer.toString("utf8", 0, read).split("\n");
    // The first one is probably not whole.
    if (size > length) lines.shift();
    return lines.filter((line) => line !== "").slice(-most);
  } catch {
    return [];
  } finally {
    closeSync(descriptor);
  }
}
