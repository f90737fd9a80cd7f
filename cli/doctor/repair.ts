import { existsSync, lstatSync } from "node:fs";
import { type Directories, ensurePrivateDirectory } from "../../daemon/runtime/paths.ts";
import { removeRunFile } from "../../daemon/runtime/run-file.ts";
import { findRunning, type Running } from "../daemon-process/running.ts";
import { type Finding, fixed, warn } from "./finding.ts";

/** While somebody repairs, a daemon that does not run is no fault. */
export const DAEMON_AWAY = warn(
  "daemon",
  "The daemon is not running",
  "Agents can neither send nor receive.",
  "agent-intercom start",
);

/** Keeps other users out of directories of ours. What cannot be closed without harm is left for others to report. */
export function closeDirectories({ dataDir, runtimeDir, logDir }: Directories): Finding[] {
  return [dataDir, runtimeDir, logDir].flatMap((path) => {
    if (!isOpen(path)) return [];
    try {
      ensurePrivateDirectory(path);
      return [fixed("directory", `Repaired: ${path} was open to other users`)];
    } catch {
      return [];
    }
  });
}

function isOpen(path: string): boolean {
  return process.platform !== "win32" && existsSync(path) && (lstatSync(path).mode & 0o077) !== 0;
}

/** The daemon, and the run file of one that is gone. */
export async function lookForDaemon(
  runFile: string,
  fix: boolean,
): Promise<{ readonly running: Running; readonly findings: Finding[] }> {
  const running = await findRunning(runFile);
  if (running.state !== "stale") return { running, findings: [] };
  const found = `The run file of a daemon that is gone (pid ${running.run.pid}) is left over`;
  if (fix && removeRunFile(runFile, running.run.instanceId)) {
    return { running: await findRunning(runFile), findings: [fixed("run-file", `Repaired: ${found}`)] };
  }
  const action = "agent-intercom doctor --fix, or start the daemon again";
  return { running, findings: [warn("run-file", found, "It says where no daemon is any more.", action)] };
}
