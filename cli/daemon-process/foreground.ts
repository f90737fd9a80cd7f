import { ensureDefaultScope } from "../../client/first-scope.ts";
import { AdminClient } from "../../client/index.ts";
import { rotatingFileSink, stderrSink } from "../../daemon/runtime/log-sinks.ts";
import { createLogger, type Logger, type LogRecord, type LogSink, logLevelFrom } from "../../daemon/runtime/logger.ts";
import { type Directories, ensurePrivateDirectory } from "../../daemon/runtime/paths.ts";
import { toCliError } from "../errors.ts";
import type { StartReport } from "./background.ts";

export interface ForegroundOptions {
  readonly directories: Directories;
  readonly port?: number | undefined;
  readonly octoberBusPort?: number | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly onReady: (started: StartReport & { state: "ready" }) => void | Promise<void>;
}

/** Runs the daemon in this process until a signal or somebody else stops it. */
export async function runInForeground(options: ForegroundOptions): Promise<void> {
  const log = openLog(options, isAwaited());
  const announce = isAwaited() ? report : options.onReady;
  try {
    await host(options, log.logger, announce);
  } catch (error) {
    if (isAwaited()) log.logger.error("start failed", { code: toCliError(error).code, error });
    throw error;
  } finally {
    log.close();
  }
}

/** True when a `start` without --foreground waits for this process to say how starting went. */
function isAwaited(): boolean {
  return process.send !== undefined;
}

/** Starts a daemon in this process. What goes wrong is told to the process that waits for it, where there is one. */
export async function tellingWhoWaits(start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!isAwaited()) throw error;
    const { message, hint, code, exitCode, details } = toCliError(error);
    report({ state: "failed", error: { message, code, exitCode, hint, details } });
    process.exitCode = exitCode;
  }
}

async function host(options: ForegroundOptions, logger: Logger, announce: ForegroundOptions["onReady"]): Promise<void> {
  process.on("uncaughtExceptionMonitor", (error) => logger.error("the daemon has crashed", { error }));
  // A terminal that closes is a polite request to stop.
  process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"));
  const { runNodeHost } = await import("../../daemon/index.ts");
  const { directories, port, octoberBusPort, env } = options;
  const { dataDir, runtimeDir } = directories;
  const ports = { port, octoberBusPort };
  let failure: unknown;
  await runNodeHost({ dataDir, runtimeDir, ...ports, owner: "cli", logger, env }, (daemon) => {
    const { address, octoberBusAddress, adminToken } = daemon;
    ensureDefaultScope(new AdminClient({ address, adminToken }))
      .then(() => announce({ state: "ready", address, octoberBusAddress, pid: process.pid }))
      .catch((error: unknown) => {
        failure = error;
        return daemon.stop();
      })
      .catch(() => {});
  });
  if (failure !== undefined) throw failure;
}

function openLog({ directories, env }: ForegroundOptions, isBackground: boolean) {
  ensurePrivateDirectory(directories.dataDir);
  ensurePrivateDirectory(directories.logDir);
  const file = rotatingFileSink({ directory: directories.logDir, name: "daemon" });
  const sinks: LogSink[] = [file];
  if (!isBackground) sinks.push(env.AGENT_INTERCOM_LOG ? stderrSink() : onlyTrouble(stderrSink()));
  const logger = createLogger({ level: logLevelFrom(env), sinks, fields: { pid: process.pid } });
  return { logger, close: () => file.close?.() };
}

/** A person who runs the daemon in a terminal wants to read the terminal. */
function onlyTrouble(sink: LogSink): LogSink {
  return {
    write: (record: LogRecord) =>
      record.level === "warn" || record.level === "error" ? sink.write(record) : undefined,
  };
}

function report(message: StartReport): void {
  process.send?.(message, () => {
    if (process.connected) process.disconnect();
  });
}
