import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Folders of one run of a program, instead of the user's own. */
export interface Place {
  /** Holds the others, and whatever else a program is to keep. */
  readonly root: string;
  readonly home: string;
  /** The folder it works in. */
  readonly work: string;
}

/** What may be handed on of this process's environment: how to find programs, and what Windows cannot do without. */
const INHERITED = ["PATH", "Path", "PATHEXT", "SystemRoot", "SystemDrive", "ComSpec", "windir"];

export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-intercom-harness-")));
  const place = { root, home: join(root, "home"), work: join(root, "work") };
  for (const folder of [place.home, place.work, join(root, "tmp")]) mkdirSync(folder);
  return place;
}

/** Removes it, also while a program that was ended is still letting go of it. */
export function removePlace({ root }: Place): void {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}

/** Writes a file of a place, for its user alone. */
export function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content, { mode: 0o600 });
}

/**
 * An environment that leads to nothing of the user's. Its way to the network is `proxyUrl`, except for what is on this
 * machine.
 */
export function placedEnvironment(
  { root, home }: Place,
  proxyUrl: string,
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  const here = "127.0.0.1,localhost,::1";
  return {
    ...Object.fromEntries(inherited),
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, "AppData", "Roaming"),
    LOCALAPPDATA: join(home, "AppData", "Local"),
    XDG_CONFIG_HOME: join(root, "config"),
    XDG_DATA_HOME: join(root, "data"),
    XDG_STATE_HOME: join(root, "state"),
    XDG_CACHE_HOME: join(root, "cache"),
    TMPDIR: join(root, "tmp"),
    TEMP: join(root, "tmp"),
    TMP: join(root, "tmp"),
    // Written when a process ends, and therefore after the place has been removed.
    NODE_DISABLE_COMPILE_CACHE: "1",
    LANG: "C.UTF-8",
    TERM: "dumb",
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    http_proxy: proxyUrl,
    https_proxy: proxyUrl,
    NO_PROXY: here,
    no_proxy: here,
  };
}
