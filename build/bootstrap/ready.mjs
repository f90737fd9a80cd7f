// Decides what is left to do before a command can run. In the usual case that is nothing, found out by reading two stamps
// without taking the lock.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { bundle, bundlesAreCurrent } from "./bundle.mjs";
import { buildIsCurrent, compile } from "./compile.mjs";
import { withLock } from "./lock.mjs";
import { root } from "./paths.mjs";
import { explain } from "./report.mjs";
import { areInstalled, install } from "./setup.mjs";

/** @param {{ path: string, version: string }} node @param {"dependencies" | "build" | "build-or-sources"} needs */
export async function ready(node, needs) {
  const built = () => buildIsCurrent() && bundlesAreCurrent();
  const nothingLeft = () => areInstalled(node.version) && (needs === "dependencies" || built());
  if (nothingLeft()) return;
  await withLock("setup", async () => {
    if (!areInstalled(node.version)) await install(node);
    if (needs === "dependencies" || built()) return;
    try {
      if (!buildIsCurrent()) await compile(node);
      if (!bundlesAreCurrent()) await bundle(node);
    } catch (error) {
      if (needs === "build") throw error;
      process.stderr.write(`${explain(error)}Going on without a finished build.\n`);
    }
  });
}

/** Installs the programs that some tests run.
 * @param {{ path: string, version: string }} node @param {import("./setup.mjs").Packages} packages */
export async function packagesReady(node, packages) {
  if (areInstalled(node.version, packages)) return;
  await withLock(basename(packages.folder), async () => {
    if (!areInstalled(node.version, packages)) await install(node, packages);
  });
}

/** The compiled command line, when it is there and made from the present sources. */
export function compiledCli() {
  const path = "dist/cli/main.js";
  return existsSync(join(root, path)) && buildIsCurrent() ? path : undefined;
}
