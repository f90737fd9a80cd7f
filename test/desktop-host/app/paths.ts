import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { commandLine } from "./command-line.ts";

/** Set by main.ts before the app's own code runs. */
export const appFacts = { name: "Electron", version: "0.0.0", path: "" };

const chosen = new Map<string, string>();

/** `app.setPath`. */
export function setPath(name: string, path: string): void {
  chosen.set(name, path);
}

/**
 * `app.getPath`.
 * @throws for names Electron does not know either
 */
export function getPath(name: string): string {
  const path = chosen.get(name) ?? defaults[name]?.();
  if (path === undefined) throw new Error(`Failed to get '${name}' path`);
  return path;
}

const appData = () => process.env.XDG_CONFIG_HOME ?? join(homedir(), ".config");

const defaults: Readonly<Record<string, () => string>> = {
  home: homedir,
  temp: tmpdir,
  appData,
  userData: () =>
    process.env.DESKTOP_HOST_USER_DATA || commandLine.getSwitchValue("user-data-dir") || join(appData(), appFacts.name),
  sessionData: () => getPath("userData"),
  logs: () => join(getPath("userData"), "logs"),
  crashDumps: () => join(getPath("userData"), "Crashpad"),
  exe: () => join(dirname(import.meta.dirname), "electron"),
  desktop: () => join(homedir(), "Desktop"),
  documents: () => join(homedir(), "Documents"),
  downloads: () => join(homedir(), "Downloads"),
};
