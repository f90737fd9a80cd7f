// Installs the dependencies with the chosen Node, and only when something they depend on has changed.
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readJson, writeJson } from "./files.mjs";
import { environment } from "./node-runtime.mjs";
import { capture, npmCli } from "./npm.mjs";
import { root, setupStamp } from "./paths.mjs";
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

/** What node_modules must have been made for. @param {string} version the chosen Node's */
function wanted(version) {
  const manifest = readJson(join(root, "package.json")) ?? {};
  const relevant = JSON.stringify(decisive.map((field) => manifest[field] ?? null));
  const lock = readFileSync(join(root, "package-lock.json"));
  const inputs = createHash("sha256").update(relevant).update(lock).digest("hex");
  return { inputs, node: version, platform: `${process.platform}-${process.arch}` };
}

/** @param {string} version */
export function dependenciesAreCurrent(version) {
  const stamp = readJson(setupStamp);
  const want = wanted(version);
  return stamp?.inputs === want.inputs && stamp.node === want.node && stamp.platform === want.platform;
}

/** @param {{ path: string, version: string }} node */
export async function installDependencies(node) {
  const stamp = wanted(node.version);
  const words = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  await step("dependencies", async () => {
    // npm ci deletes node_modules, but not at once: without this a second process could still believe the old stamp.
    rmSync(setupStamp, { force: true });
    const done = await capture(node.path, [npmCli(), ...words], { cwd: root, env: environment(node.path) });
    if (done.code !== 0) {
      throw new SetupError("npm could not install the dependencies.", {
        command: commandLine(["npm", ...words]),
        output: done.output,
        advice: adviceFor(done.output),
      });
    }
    writeJson(setupStamp, stamp);
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
