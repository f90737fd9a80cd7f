// Writes everything derived from the operation table: `npm run protocol:build`. With `--check` it writes nothing and exits
// with 1 when a file is stale, so that a change of the table without its documents does not pass.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import process from "node:process";
import { GENERATED, generatedFiles } from "./schema/files.ts";

const root = join(import.meta.dirname, "..");

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n");
  } catch {
    return undefined;
  }
}

/** Files of the generated folder that nothing makes any more. */
function leftovers(wanted: ReadonlyMap<string, string>): string[] {
  mkdirSync(join(root, GENERATED), { recursive: true });
  return readdirSync(join(root, GENERATED), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(slashes(root), posix.join(slashes(entry.parentPath), entry.name)))
    .filter((path) => !wanted.has(path));
}

function slashes(path: string): string {
  return path.replaceAll("\\", "/");
}

const files = generatedFiles();
const stale = [...files].filter(([path, text]) => current(path) !== text);
const extra = leftovers(files);
const names = [...stale.map(([path]) => path), ...extra];

if (process.argv.includes("--check")) {
  if (names.length > 0) {
    process.stderr.write(`Stale, run npm run protocol:build: ${names.join(", ")}\n`);
    process.exitCode = 1;
  }
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const path of extra) rmSync(join(root, path));
  process.stdout.write(`${files.size} protocol files are current; changed: ${names.join(", ") || "none"}\n`);
}
