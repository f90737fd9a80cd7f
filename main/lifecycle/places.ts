import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Directories, resolveDirectories } from "../../daemon/runtime/index.ts";
import type { Electron } from "../ports/electron.ts";

/** Name of the app and of the folder for its own things. */
export const APP_NAME = "Agent Intercom";

/** Where everything is. */
export interface Places {
  /** The daemon's, as every program of this user finds them. */
  readonly directories: Directories;
  readonly settingsFile: string;
  /** The bundles of the processes. */
  readonly daemonEntry: string;
  readonly preload: string;
  /** Folder of the pages. */
  readonly pages: string;
  readonly resources: string;
  /** Folder of the app's package. */
  readonly appDir: string;
  /** Home page of the product, if the package names one. */
  readonly homepage: string | undefined;
}

/**
 * Settles where the app's own folder is, before anything is put there. By its package's name it would, on macOS, be the one in
 * which the daemon keeps its data. `--user-data-dir` is Electron's own and wins.
 */
export function settleUserData(app: Pick<Electron["app"], "commandLine" | "getPath" | "setPath" | "setName">): void {
  app.setName(APP_NAME);
  if (app.commandLine.hasSwitch("user-data-dir")) return;
  const folder = join(app.getPath("appData"), APP_NAME);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath("userData", folder);
}

/** @param bundle folder of the main process's bundle */
export function findPlaces(
  app: Pick<Electron["app"], "getPath" | "getAppPath">,
  bundle: string,
  env: NodeJS.ProcessEnv,
): Places {
  const appDir = app.getAppPath();
  return {
    directories: resolveDirectories({ env }),
    settingsFile: join(app.getPath("userData"), "desktop.json"),
    daemonEntry: join(bundle, "daemon.js"),
    preload: join(bundle, "preload.cjs"),
    pages: join(dirname(bundle), "ui"),
    resources: join(dirname(dirname(bundle)), "resources"),
    appDir,
    homepage: homepageOf(join(dirname(dirname(bundle)), "package.json")),
  };
}

function homepageOf(packageFile: string): string | undefined {
  try {
    const { homepage } = JSON.parse(readFileSync(packageFile, "utf8")) as { homepage?: unknown };
    return typeof homepage === "string" ? homepage : undefined;
  } catch {
    return undefined;
  }
}
