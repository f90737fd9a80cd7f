import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { extname, join, parse } from "node:path";
import type { Directories } from "../../daemon/runtime/paths.ts";
import { ensurePrivateDirectory } from "../../daemon/runtime/paths.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";

/** What a daemon started in the background tells the command that started it, once. */
export type StartReport =
  | {
      readonly state: "ready";
      readonly address: string;
      readonly octoberBusAddress?: string | undefined;
      readonly pid: number;
    }
  | { readonly state: "failed"; readonly error: StartFailure };

type StartFailure = Pick<CliError, "message" | "hint" | "code" | "exitCode" | "details">;

export interface BackgroundOptions {
  readonly directories: Directories;
  /** What was said on the command line; the daemon itself looks at the environment and its settings file. */
  readonly port?: number | undefined;
  readonly octoberBusPort?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

const START_TIMEOUT_MS = 20_000;
/** After an update, or a crash, the database is copied, checked and changed before the daemon answers. */
const START_BYTES_PER_MS = 10_000;
/** Credentials have no business in a daemon's environment, and options for Node are meant for other programs. */
const NOT_INHERITED = /^(AGENT_INTERCOM|OCTOBER_BUS)_(ADMIN|SCOPE|AGENT)_TOKEN$|^NODE_OPTIONS$|^NODE_CHANNEL_FD$/i;

/** Starts a daemon that outlives this process, and returns when it answers. */
export async function startInBackground(options: BackgroundOptions): Promise<StartReport & { state: "ready" }> {
  const { directories } = options;
  for (const directory of [directories.dataDir, directories.runtimeDir, directories.logDir])
    ensurePrivateDirectory(directory);
  // Whatever Node itself has to say before it dies; the daemon's own log is beside it.
  const crashLog = join(directories.logDir, "daemon.stderr.log");
  const crashFile = openSync(crashLog, "w", 0o600);
  const [command, args] = orphaned(process.execPath, [mainFile(), ...startArguments(options)]);
  const child = spawn(command, args, {
    cwd: parse(directories.dataDir).root,
    detached: true,
    env: Object.fromEntries(Object.entries(options.env).filter(([name]) => !NOT_INHERITED.test(name))),
    stdio: ["ignore", crashFile, crashFile, "ipc"],
    windowsHide: true,
  });
  closeSync(crashFile);
  try {
    const report = await firstReport(child, options, crashLog);
    if (report.state === "ready") return report;
    const { message, ...rest } = report.error;
    throw new CliError(message, rest);
  } finally {
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/**
 * A command that starts another and ends at once, so that the other is nobody's child: there are clients that end all
 * descendants of the server they have started, and whoever starts the daemon first may be such a server.
 */
function orphaned(command: string, args: readonly string[]): [command: string, args: readonly string[]] {
  // Windows tells nobody who started what, once that has ended; and there is no shell to rely on.
  if (process.platform === "win32") return [command, args];
  return ["/bin/sh", ["-c", '"$@" &', "sh", command, ...args]];
}

/** The daemon shares the group with what has started it, and that is gone. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(process.platform === "win32" ? pid : -pid);
  } catch {
    // It has just ended by itself.
  }
}

function firstReport(child: ChildProcess, options: BackgroundOptions, crashLog: string): Promise<StartReport> {
  const { promise, resolve, reject } = Promise.withResolvers<StartReport>();
  const timer = setTimeout(() => {
    kill(child);
    reject(
      new CliError("The daemon did not become ready in time.", {
        exitCode: EXIT.timeout,
        code: "TIMEOUT",
        hint: `Its log: ${options.directories.logDir}`,
      }),
    );
  }, options.timeoutMs ?? startTimeoutMs(options.directories));
  child.once("message", (message) => resolve(message as StartReport));
  child.once("error", reject);
  // The channel ends with the daemon; only what starts it may have ended before, and well.
  child.once("disconnect", () => reject(crashed(crashLog)));
  child.once("exit", (code) => code !== 0 && reject(crashed(crashLog)));
  return promise.finally(() => {
    clearTimeout(timer);
    // What becomes of it later is no longer this command's business.
    child.removeAllListeners();
  });
}

function startTimeoutMs({ databaseFile }: Directories): number {
  const bytes = statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0;
  return START_TIMEOUT_MS + bytes / START_BYTES_PER_MS;
}

function startArguments({ directories, port, octoberBusPort }: BackgroundOptions): string[] {
  const places = ["--data-dir", directories.dataDir, "--runtime-dir", directories.runtimeDir];
  const ports = Object.entries({ "--port": port, "--october-bus-port": octoberBusPort });
  const said = ports.flatMap(([option, value]) => (value === undefined ? [] : [option, String(value)]));
  return ["start", "--foreground", ...said, ...places];
}

/** The command's entry beside this file, as source or compiled. */
function mainFile(): string {
  return join(import.meta.dirname, "..", `main${extname(import.meta.filename)}`);
}

function crashed(log: string): CliError {
  const words = lastLine(log);
  return new CliError("The daemon ended while it started.", {
    hint: words ? `It last said: ${words}\nAll of it: ${log}` : `Its log: ${log}`,
  });
}

function lastLine(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim().split("\n").at(-1);
  } catch {
    return undefined;
  }
}
