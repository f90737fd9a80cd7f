// A disk so small that a spec can fill it up for real.
import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
  remove(): void;
}

const SIZE = "16m";

/** Undefined where this user may not make one: it takes Linux, root, and often a machine that is no container. */
export function makeSmallDisk(): SmallDisk | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "ai-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=0700`, "tmpfs", folder]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const filler = join(folder, "filler");
  mkdirSync(join(folder, "user"), { mode: 0o700 });
  return {
    folder,
    fill: () => {
      const descriptor = openSync(filler, "a");
      try {
        // Smaller and smaller pieces, down to the last byte.
        for (let size = 1 << 20; size >= 1; size >>= 1) fillWith(descriptor, Buffer.alloc(size));
      } finally {
        closeSync(descriptor);
      }
    },
    free: () => {
      const descriptor = openSync(filler, "r+");
      ftruncateSync(descriptor, 0);
      closeSync(descriptor);
    },
    remove: () => {
      // Lazily, since the app that uses it ends only after the test.
      execFileSync("umount", ["--lazy", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillWith(descriptor: number, piece: Buffer): void {
  try {
    for (;;) writeSync(descriptor, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
