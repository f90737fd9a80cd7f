import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, extname, isAbsolute, join } from "node:path";
import process from "node:process";
import type { Environment, Launcher, Platform } from "../../connect/index.ts";
import type { Io } from "../io.ts";

/** This machine, as client profiles see it. */
export function thisMachine({ env }: Io): Environment {
  const platform: Platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  const home = platform === "win32" ? env.USERPROFILE : env.HOME;
  return { platform, env, homedir: home || homedir(), project: process.cwd(), exists: existsSync };
}

/**
 * How a client starts this very command. Clients get no shell, and those started from the desktop a bare PATH, so everything
 * is absolute and nothing relies on Node being found.
 */
export function thisLauncher({ env }: Io, platform: Platform): Launcher {
  const checkout = checkoutRoot();
  if (checkout && platform !== "win32") return { command: join(checkout, "bin", "agent-intercom") };
  const node = lastingPath(process.execPath, env);
  if (checkout) return { command: node, args: [join(checkout, "build", "bootstrap.mjs"), "cli"] };
  return { command: node, args: [join(import.meta.dirname, "..", `main${extname(import.meta.filename)}`)] };
}

/** True when the command lies in a place that is cleared up some time. */
export function isPassing({ command, args = [] }: Launcher): boolean {
  return [command, ...args].some((path) => /[/\\]_npx[/\\]/.test(path));
}

function checkoutRoot(): string | undefined {
  for (let folder = import.meta.dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    if (!existsSync(join(folder, "package.json"))) continue;
    return existsSync(join(folder, "bin", "agent-intercom")) ? folder : undefined;
  }
  return undefined;
}

/** The name on the PATH that leads to this Node, because package managers put the version into the real path. */
function lastingPath(program: string, env: NodeJS.ProcessEnv): string {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const real = realpathSync(program);
  for (const folder of (env.PATH || env.Path || "").split(delimiter)) {
    const candidate = join(folder, name);
    if (isAbsolute(folder) && existsSync(candidate) && realpathSync(candidate) === real) return candidate;
  }
  return program;
}
