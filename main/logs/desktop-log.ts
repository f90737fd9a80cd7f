import { join } from "node:path";
import type { Directories, Logger } from "../../daemon/runtime/index.ts";
import { rotatingFileSink, stderrSink } from "../../daemon/runtime/log-sinks.ts";
import { createLogger, logLevelFrom } from "../../daemon/runtime/logger.ts";
import { ensurePrivateDirectory } from "../../daemon/runtime/paths.ts";
import { redactText } from "../../daemon/runtime/redact.ts";
import { lastLines } from "./last-lines.ts";

const MOST_LINES = 200;

/** The logs of the desktop: its own, the daemon's, and what the daemon's process wrote elsewhere. */
export interface DesktopLogs {
  readonly logger: Logger;
  /** A line the daemon's process wrote to its output. */
  daemonSaid(line: string): void;
  /** The last 200 lines of the daemon, with what its process said before it died at the end. */
  ofDaemon(): string[];
  /** The last 200 lines of the desktop itself. */
  ofDesktop(): string[];
  close(): void;
}

export interface DesktopLogOptions {
  readonly directories: Pick<Directories, "dataDir" | "logDir">;
  readonly env: NodeJS.ProcessEnv;
  readonly pid: number;
}

/** Opens `desktop.log` beside the daemon's log: JSON lines, redacted, five files of 5 MiB. */
export function openDesktopLogs({ directories: { dataDir, logDir }, env, pid }: DesktopLogOptions): DesktopLogs {
  ensurePrivateDirectory(dataDir);
  ensurePrivateDirectory(logDir);
  const file = rotatingFileSink({ directory: logDir, name: "desktop" });
  const sinks = env.AGENT_INTERCOM_LOG ? [file, stderrSink()] : [file];
  const logger = createLogger({ level: logLevelFrom(env), sinks, fields: { pid } });
  const said: string[] = [];
  return {
    logger,
    daemonSaid: (line) => {
      const redacted = redactText(line);
      said.push(redacted);
      if (said.length > MOST_LINES) said.shift();
      logger.warn("the daemon's process said", { line: redacted });
    },
    ofDaemon: () => [...lastLines(join(logDir, "daemon.log"), MOST_LINES), ...said].slice(-MOST_LINES),
    ofDesktop: () => lastLines(file.file, MOST_LINES),
    close: () => file.close?.(),
  };
}
