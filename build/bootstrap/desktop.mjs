// Whether `npm start` can open the desktop, and how.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./files.mjs";
import { environment } from "./node-runtime.mjs";
import { capture } from "./npm.mjs";
import { root } from "./paths.mjs";
import { step } from "./report.mjs";

/** Where Electron's executable is inside its distribution. @type {Partial<Record<NodeJS.Platform, string[]>>} */
const EXECUTABLES = {
  darwin: ["Electron.app", "Contents", "MacOS", "Electron"],
  win32: ["electron.exe"],
};

/**
 * @typedef {{ env: NodeJS.ProcessEnv, platform: NodeJS.Platform, directory: string }} Machine
 * @typedef {{ electron: string } | { missing: string, fetchable?: true }} Desktop
 */

/**
 * The Electron that opens the desktop of this checkout, or in a few words why there is none.
 * @param {Machine} machine @returns {Desktop}
 */
export function findDesktop(
  { env, platform, directory } = { env: process.env, platform: process.platform, directory: root },
) {
  const { main } = readJson(join(directory, "package.json")) ?? {};
  if (!main || !existsSync(join(directory, main))) return { missing: "the desktop is not built" };
  const hasDisplay = platform === "darwin" || platform === "win32" || env.DISPLAY || env.WAYLAND_DISPLAY;
  if (!hasDisplay) return { missing: "there is no display here" };
  const electron = electronIn(env, platform, directory);
  return electron ? { electron } : { missing: "there is no Electron here", fetchable: true };
}

/**
 * Electron's executable does not come with its package; its own script fetches it, once. Where that fails, for lack of a
 * network for instance, the daemon runs without the desktop.
 * @param {{ path: string, version: string }} node
 */
export async function fetchElectron(node) {
  const script = join(root, "node_modules", "electron", "install.js");
  try {
    await step("Electron for the desktop app (about 100 MB)", async () => {
      const done = await capture(node.path, [script], { cwd: root, env: environment(node.path) });
      if (done.code !== 0) throw new Error(done.output);
    });
  } catch {
    // Said already, and what follows says what runs instead.
  }
}

/** @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform @param {string} directory */
function electronIn(env, platform, directory) {
  const distribution = env.ELECTRON_OVERRIDE_DIST_PATH || join(directory, "node_modules", "electron", "dist");
  const executable = join(distribution, ...(EXECUTABLES[platform] ?? ["electron"]));
  return [env.AGENT_INTERCOM_ELECTRON, executable].find((file) => file && existsSync(file));
}
