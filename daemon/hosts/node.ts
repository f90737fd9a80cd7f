import { type Daemon, type DaemonOptions, startDaemon } from "../daemon.ts";

/**
 * Runs a daemon in a plain Node process: SIGINT and SIGTERM stop it gracefully, a second one at once.
 * `onReady` is called when it answers; the promise resolves when it has stopped.
 */
export async function runNodeHost(options: DaemonOptions, onReady: (daemon: Daemon) => void): Promise<void> {
  const daemon = await startDaemon(options);
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(130);
    asked = true;
    // A failure reaches the caller through `stopped`.
    daemon.stop().catch(() => {});
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    onReady(daemon);
    await daemon.stopped;
  } finally {
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}
