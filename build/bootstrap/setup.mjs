// Installs the packages of a folder with the chosen Node, and only when something they depend on has changed: the
// checkout's own, and for some tests the programs they run.
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "./files.mjs";
import { environment } from "./node-runtime.mjs";
import { capture, npmCli } from "./npm.mjs";
import { harnessDir, mcpToolsDir, root } from "./paths.mjs";
import { commandLine, SetupError, step } from "./report.mjs";

/** The parts of package.json that decide what is installed; editing a script is no reason to install again. */
const decisive = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "overrides",
  "engines",
  "allowScripts",
];

/**
 * A folder with a package.json, and how npm fills it.
 * @typedef {{ folder: string, title: string, words: string[] }} Packages
 */

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];

/** @type {Packages} */
export const dependencies = { folder: root, title: "dependencies", words: ["ci", ...quiet] };

/**
 * Not `npm ci`: registries do not always have the packages for every other platform, which it would insist on. Those that are
 * there are still checked against the lock file, and it is not written.
 */
const installAvailable = ["install", "--no-save", ...quiet];

/** @type {Packages} */
export const harnessPrograms = {
  folder: harnessDir,
  title: "agent programs for the tests (about 1 GB)",
  words: installAvailable,
};

/** @type {Packages} */
export const mcpTools = {
  folder: mcpToolsDir,
  title: "official MCP tools for the tests (about 150 MB)",
  words: installAvailable,
};

/** Remembers for which lock file, Node and platform node_modules was made. It dies with node_modules, as it must.
 * @param {Packages} packages */
function stampOf({ folder }) {
  return join(folder, "node_modules", ".agent-intercom-setup.json");
}

/** What node_modules must have been made for. @param {Packages} packages @param {string} version the chosen Node's */
function wanted({ folder }, version) {
  const manifest = readJson(join(folder, "package.json")) ?? {};
  const relevant = JSON.stringify(decisive.map((field) => manifest[field] ?? null));
  const lock = readFileSync(join(folder, "package-lock.json"));
  const inputs = createHash("sha256").update(relevant).update(lock).digest("hex");
  return { inputs, node: version, platform: `${process.platform}-${process.arch}` };
}

/** @param {string} version the chosen Node's @param {Packages} [packages] */
export function areInstalled(version, packages = dependencies) {
  const stamp = readJson(stampOf(packages));
  const want = wanted(packages, version);
  return stamp?.inputs === want.inputs && stamp.node === want.node && stamp.platform === want.platform;
}

/** @param {{ path: string, version: string }} node @param {Packages} [packages] */
export async function install(node, packages = dependencies) {
  const { folder, title, words } = packages;
  const stamp = wanted(packages, node.version);
  await step(title, async () => {
    // npm ci deletes node_modules, but not at once: without this a second process could still believe the old stamp.
    rmSync(stampOf(packages), { force: true });
    const done = await capture(node.path, [npmCli(), ...words], { cwd: folder, env: environment(node.path) });
    if (done.code !== 0) {
      throw new SetupError(`npm could not install the ${title}.`, {
        command: commandLine(["npm", ...words]),
        output: done.output,
        advice: adviceFor(done.output),
      });
    }
    writeJson(stampOf(packages), stamp);
  });
}

/** @param {string} output npm's */
function adviceFor(output) {
  if (/EUSAGE|in sync/.test(output))
    return "package-lock.json does not fit package.json: run npm install and commit both";
  if (/ENOSPC/.test(output)) return "the disk is full: free some space, then run the same command again";
  if (/EACCES|EPERM/.test(output)) return "make sure this folder belongs to you, then run the same command again";
  return "check that npm reaches its registry (npm ping), then run the same command again";
}
