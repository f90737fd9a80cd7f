import { createHash } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { toIdentifier } from "../../protocol/index.ts";

/** The top folder of the repository around `folder`, or the folder itself where there is none. */
export function projectFolder(folder: string): string {
  const start = realpathSync(folder);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, ".git"))) return current;
    if (dirname(current) === current) return start;
  }
}

/** Id of the scope in which agents of one project meet without anybody having set it up. Tells nothing of where it is. */
export function projectScopeId(folder: string): string {
  const project = projectFolder(folder);
  const name = toIdentifier(basename(project), 80);
  return `${name || "project"}-${createHash("sha256").update(project).digest("hex").slice(0, 8)}`;
}
