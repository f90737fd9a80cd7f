// The daemon as a utility process of the desktop. It has no standard input and gets no arguments: everything comes over the
// port to the main process.
import { startDaemon } from "../daemon.ts";
import { resolveDirectories } from "../runtime/index.ts";
import { rotatingFileSink } from "../runtime/log-sinks.ts";
import { createLogger, logLevelFrom } from "../runtime/logger.ts";
import { ensurePrivateDirectory } from "../runtime/paths.ts";
import { isProcessAlive } from "../runtime/process-info.ts";
import { type HostPort, UtilityHost } from "./utility-host.ts";

/** A message that was posted just before the end of the process would be lost with it. */
const LAST_WORDS_MS = 100;

const { parentPort: port } = process as NodeJS.Process & { readonly parentPort?: HostPort };
if (!port) throw new Error("This is the desktop's daemon, which only the desktop can start. Use: agent-intercom start");

const host = new UtilityHost({
  port,
  start: startDaemon,
  openLog: (places) => {
    const { dataDir, logDir } = resolveDirectories(places);
    ensurePrivateDirectory(dataDir);
    ensurePrivateDirectory(logDir);
    const sinks = [rotatingFileSink({ directory: logDir, name: "daemon" })];
    const logger = createLogger({ level: logLevelFrom(process.env), sinks, fields: { pid: process.pid } });
    process.on("uncaughtExceptionMonitor", (error) => logger.error("the daemon has crashed", { error }));
    return logger;
  },
  isAlive: isProcessAlive,
  every: (ms, run) => void setInterval(run, ms).unref(),
  exit: (code) => void setTimeout(() => process.exit(code), LAST_WORDS_MS),
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.once(signal, () => void host.stop());
