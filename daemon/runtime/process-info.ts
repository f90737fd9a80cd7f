import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const PACKAGE = "agent-intercom";

/** True while a process of this id runs, also one of another user. One that has ended but was not collected is not alive. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    // The state follows the program's name, which stands in brackets and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

/** The product's version, from the package this file belongs to, whether it runs from sources, from dist or bundled. */
export function productVersion(from: string = import.meta.dirname): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const file = join(directory, "package.json");
    if (existsSync(file)) {
      const manifest = JSON.parse(readFileSync(file, "utf8")) as { name?: unknown; version?: unknown };
      if (manifest.name === PACKAGE && typeof manifest.version === "string") return manifest.version;
    }
    if (dirname(directory) === directory) return "0.0.0";
  }
}
