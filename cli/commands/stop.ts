import { AdminClient } from "../../client/index.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { type RunFile, readRunFile, removeRunFile } from "../../daemon/runtime/run-file.ts";
import { examples, type Register } from "../command.ts";
import { Context } from "../context.ts";
import { findRunning } from "../daemon-process/running.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Printer } from "../output/printer.ts";

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;
/** Between its last word and its end a daemon only closes files. */
const EXIT_GRACE_MS = 2000;

export const register: Register = (command, invocation) => {
  command.description(
    "Stops the daemon: calls in progress are finished, the database is closed. When none runs, says so.",
  );
  examples(command, [["stop"]]);
  command.action(async () => {
    const context = new Context(invocation());
    const { out } = context;
    const path = context.runFilePath;
    const running = await findRunning(path);
    switch (running.state) {
      case "stopped":
        return out.result({ stopped: false }, () => "The daemon is not running.");
      case "stale":
        removeRunFile(path, running.run.instanceId);
        return out.result({ stopped: false }, () => "The daemon is not running; what it left behind is cleared away.");
      case "untrusted":
        throw new CliError(`The run file cannot be trusted: ${running.reason}.`, {
          exitCode: EXIT.denied,
          code: "UNTRUSTED_RUN_FILE",
          hint: "agent-intercom doctor shows details.",
        });
      default:
        await stop(path, running.run, out);
    }
  });
};

async function stop(path: string, run: RunFile, out: Printer): Promise<void> {
  const admin = new AdminClient({ address: run.address, adminToken: run.adminToken, retries: 0 });
  await admin.shutdown({}, { timeoutMs: STOP_TIMEOUT_MS / 2 }).catch((error: unknown) => {
    // It may have gone between the question and now.
    if (isProcessAlive(run.pid)) throw unresponsive(run, error);
  });
  const started = performance.now();
  const isGone = (): boolean => {
    const reading = readRunFile(path);
    return reading.state !== "present" || reading.run.instanceId !== run.instanceId;
  };
  if (!(await until(isGone, STOP_TIMEOUT_MS))) throw unresponsive(run, undefined);
  await until(() => !isProcessAlive(run.pid), EXIT_GRACE_MS);
  const tookMs = Math.round(performance.now() - started);
  out.result({ stopped: true, pid: run.pid, tookMs }, () => "The daemon has stopped.");
}

async function until(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

function unresponsive(run: RunFile, cause: unknown): CliError {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  const kill = process.platform === "win32" ? `taskkill /F /PID ${run.pid}` : `kill ${run.pid}`;
  return new CliError(`The daemon (pid ${run.pid}) does not stop${why}.`, {
    exitCode: EXIT.timeout,
    code: "NOT_STOPPING",
    hint: `If you are sure it is the daemon: ${kill}\nNothing that was accepted is lost by that.`,
  });
}
