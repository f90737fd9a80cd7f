/** What every host of the daemon, and the command line, need from the machine: places, run file, logs, processes. */
export { jsonLine, prettyLine, type RotatingFileOptions, rotatingFileSink, stderrSink } from "./log-sinks.ts";
export {
  createLogger,
  LOG_LEVELS,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  type LogRecord,
  type LogSink,
  logLevelFrom,
  silentLogger,
} from "./logger.ts";
export {
  canonicalPath,
  type Directories,
  type DirectoryOptions,
  ensurePrivateDirectory,
  resolveDirectories,
} from "./paths.ts";
export { describePortOwner, findPortOwner, type PortOwner } from "./port-owner.ts";
export { isProcessAlive, productVersion } from "./process-info.ts";
export {
  DAEMON_OWNERS,
  type DaemonOwner,
  type RunFile,
  type RunFileReading,
  readRunFile,
  removeRunFile,
  writeRunFile,
} from "./run-file.ts";
