/** Starts the daemon inside another program: the command line, the desktop app, a test. */
export { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
export { runNodeHost } from "./hosts/node.ts";
export {
  type BackupReport,
  type DataCheck,
  type DataFinding,
  examineData,
  type RestoreOptions,
  type RestoreOutcome,
  restoreBackup,
  verifyBackup,
} from "./recovery/index.ts";
