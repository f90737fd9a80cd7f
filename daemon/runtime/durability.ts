import { closeSync, constants, fsyncSync, openSync } from "node:fs";

/** Makes what was written to a file survive a loss of power. */
export function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes names in a directory durable: files made, renamed or removed. Windows cannot open directories; it does without. */
export function syncDirectory(path: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
