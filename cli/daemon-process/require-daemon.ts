import { setTimeout as sleep } from "node:timers/promises";
import type { Directories } from "../../daemon/runtime/paths.ts";
import type { RunFile } from "../../daemon/runtime/run-file.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { startInBackground } from "./background.ts";
import { findRunning } from "./running.ts";

export interface DaemonOptions {
  readonly directories: Directories;
  readonly env: NodeJS.ProcessEnv;
  /** A daemon is started when none runs. */
  readonly mayStart: boolean;
}

/** How long to insist on a daemon while somebody else is starting or ending one, and how often to look, ms. */
const START_MS = 10_000;
const LOOK_MS = 200;

/** This user's daemon, started when none runs. @throws {CliError} when there is none and none may be started */
export async function requireDaemon({ directories, env, mayStart }: DaemonOptions): Promise<RunFile> {
  for (let waitedMs = 0; waitedMs < START_MS; waitedMs += LOOK_MS) {
    const running = await findRunning(directories.runFile);
    if (running.state === "running") return running.run;
    if (running.state === "untrusted") throw noDaemon(`The run file cannot be trusted: ${running.reason}.`);
    if (!mayStart) throw noDaemon("The daemon is not running. Start it with: agent-intercom start");
    await startInBackground({ directories, env }).catch(async (error: unknown) => {
      if (!(error instanceof CliError) || error.details?.reason !== "already_running") throw error;
      // Another window is starting one, or the last one is still letting go of its files.
      await sleep(LOOK_MS);
    });
  }
  throw noDaemon("The daemon does not start. Look at it with: agent-intercom doctor");
}

function noDaemon(message: string): CliError {
  return new CliError(message, { exitCode: EXIT.notRunning, code: "NO_DAEMON" });
}
