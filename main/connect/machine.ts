import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Environment, findProgram, type Launcher, type Platform } from "../../connect/index.ts";

export interface MachineOptions {
  readonly platform: Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly homedir: string;
  /** Folder the app itself lies in. */
  readonly appDir: string;
}

/** This machine, as client profiles see it. The desktop belongs to no project, so the home folder stands in for one. */
export function machineOf({ platform, env, homedir }: MachineOptions): Environment {
  return { platform, env, homedir, project: homedir, exists: existsSync };
}

/**
 * How a client starts our command, which it needs beside the app: from the checkout that the app runs from, or as it was
 * installed. Undefined where there is none.
 */
export function launcherOf(options: MachineOptions): Launcher | undefined {
  const checkout = checkoutOf(options.appDir);
  if (checkout && options.platform !== "win32") return { command: join(checkout, "bin", "agent-intercom") };
  const node = findProgram("node", machineOf(options));
  if (checkout && node) return { command: node, args: [join(checkout, "build", "bootstrap.mjs"), "cli"] };
  const installed = findProgram("agent-intercom", machineOf(options));
  return installed === undefined ? undefined : { command: installed };
}

function checkoutOf(appDir: string): string | undefined {
  for (let folder = appDir; dirname(folder) !== folder; folder = dirname(folder)) {
    if (!existsSync(join(folder, "package.json"))) continue;
    return existsSync(join(folder, "bin", "agent-intercom")) ? folder : undefined;
  }
  return undefined;
}
