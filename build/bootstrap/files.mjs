// Reading and writing the small files the bootstrap keeps, and walking the checkout's own files.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const notOurs = new Set(["node_modules", "dist", "coverage"]);

/**
 * All files below `top`, as sorted paths relative to it with forward slashes. Skips what is not ours (dependencies,
 * build output) and hidden folders.
 * @param {string} top
 * @param {string} [under]
 * @returns {string[]}
 */
export function ownFiles(top, under = "") {
  const found = [];
  for (const entry of entriesOf(join(top, under))) {
    const path = under ? `${under}/${entry.name}` : entry.name;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory() && !entry.name.startsWith(".") && !notOurs.has(entry.name)) {
      found.push(...ownFiles(top, path));
    }
  }
  return found.sort();
}

/** @param {string} folder */
function entriesOf(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * One hash over path, size and time of files: cheap enough for each start, and safe because git updates times.
 * @param {string} top
 * @param {readonly string[]} files relative to `top`; a missing one counts as such
 */
export function fingerprintOf(top, files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const facts = statSync(join(top, file), { throwIfNoEntry: false });
    hash.update(`${file} ${facts?.size} ${facts?.mtimeMs}\n`);
  }
  return hash.digest("hex");
}

/** The JSON in a file, or undefined when it is missing or broken: stamps are only ever a reason to do less work.
 * @param {string} path @returns {any} */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/** Writes a whole file or nothing, so that an interrupted run never leaves half a stamp.
 * @param {string} path @param {unknown} value */
export function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(draft, path);
}

/** @param {unknown} error */
export function isMissing(error) {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
