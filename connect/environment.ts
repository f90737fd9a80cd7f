import { posix, win32 } from "node:path";

/** The systems whose places the profiles know. */
export const PLATFORMS = ["linux", "darwin", "win32"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** What a profile may know of the machine. Everything decided from it is a pure function of it. */
export interface Environment {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homedir: string;
  /** The folder that project files belong to, absolute. */
  readonly project: string;
  exists(path: string): boolean;
}

/** Path rules of a platform, whichever one this program runs on. */
export function pathsOf(platform: Platform): typeof posix {
  return platform === "win32" ? win32 : posix;
}

/**
 * Fills in a place such as `{home}/.codex/config.toml`. Names in capitals are environment variables.
 * @returns the absolute path, or `undefined` when a variable in it is not set.
 */
export function expandPlace(place: string, environment: Environment): string | undefined {
  const paths = pathsOf(environment.platform);
  let complete = true;
  const filled = place.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = baseOf(name, environment);
    complete &&= value !== undefined;
    return value ?? "";
  });
  return complete && paths.isAbsolute(filled) ? paths.normalize(filled) : undefined;
}

function baseOf(name: string, { platform, env, homedir, project }: Environment): string | undefined {
  const paths = pathsOf(platform);
  switch (name) {
    case "home":
      return homedir;
    case "project":
      return project;
    case "xdgConfig":
      // The base directory specification wants relative values ignored.
      return env.XDG_CONFIG_HOME && paths.isAbsolute(env.XDG_CONFIG_HOME)
        ? env.XDG_CONFIG_HOME
        : paths.join(homedir, ".config");
    case "appData":
      return env.APPDATA || paths.join(homedir, "AppData", "Roaming");
    case "appSupport":
      return paths.join(homedir, "Library", "Application Support");
    default:
      return env[name] || undefined;
  }
}

/** Where a program lies on the PATH, if it does. */
export function findProgram(name: string, { platform, env, exists }: Environment): string | undefined {
  const paths = pathsOf(platform);
  const endings = platform === "win32" ? (env.PATHEXT || ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  for (const folder of (env.PATH || env.Path || "").split(paths.delimiter)) {
    if (!paths.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const candidate = paths.join(folder, `${name}${ending.toLowerCase()}`);
      if (exists(candidate)) return candidate;
    }
  }
  return undefined;
}
