// Whether `npm start` can open the desktop, and how. Looks only at what is there: nothing is fetched.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJson } from "./files.mjs";
import { root } from "./paths.mjs";

/** Where Electron's executable is inside its distribution. @type {Partial<Record<NodeJS.Platform, string[]>>} */
const EXECUTABLES = {
  darwin: ["Electron.app", "Contents", "MacOS", "Electron"],
  win32: ["electron.exe"],
};

/**
 * @typedef {{ env: NodeJS.ProcessEnv, platform: NodeJS.Platform, directory: string }} Machine
 * @typedef {{ electron: string } | { missing: string }} Desktop
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
  const electron = electronIn(env, platform, directory);
  if (!electron) return { missing: "there is no Electron here" };
  const hasDisplay = platform === "darwin" || platform === "win32" || env.DISPLAY || env.WAYLAND_DISPLAY;
  return hasDisplay ? { electron } : { missing: "there is no display here" };
}

/** @param {NodeJS.ProcessEnv} env @param {NodeJS.Platform} platform @param {string} directory */
function electronIn(env, platform, directory) {
  const distribution = env.ELECTRON_OVERRIDE_DIST_PATH || join(directory, "node_modules", "electron", "dist");
  const executable = join(distribution, ...(EXECUTABLES[platform] ?? ["electron"]));
  return [env.AGENT_INTERCOM_ELECTRON, executable].find((file) => file && existsSync(file));
}
