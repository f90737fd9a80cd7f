import type { Details, UtilityProcess } from "electron";
import type { Logger } from "../../daemon/runtime/index.ts";
import { hostReport } from "../../protocol/desktop/daemon-host.ts";
import { LineSplitter } from "../logs/line-splitter.ts";
import type { Electron } from "../ports/electron.ts";
import type { Child, ChildListener } from "./ports.ts";

const NAME = "Agent Intercom daemon";

export interface UtilityChildOptions {
  /** The bundled daemon. */
  readonly entry: string;
  readonly env: Record<string, string>;
  readonly logger: Logger;
  /** A line that the process wrote to its output, such as what Node says before it dies. */
  onLine(line: string): void;
}

/** Starts daemons as utility processes of Electron: the only children there are in an app without `runAsNode`. */
export function utilitySpawner(
  { app, utilityProcess }: Pick<Electron, "app" | "utilityProcess">,
  options: UtilityChildOptions,
) {
  return (listener: ChildListener): Child => {
    const child = utilityProcess.fork(options.entry, [], { serviceName: NAME, stdio: "pipe", env: options.env });
    let pid: number | undefined;
    let hasEnded = false;
    let gone: Details | undefined;
    const onGone = (_event: unknown, details: Details): void => {
      if (details.type === "Utility" && (details.name === NAME || details.serviceName === NAME)) gone = details;
    };
    app.on("child-process-gone", onGone);
    child.once("spawn", () => {
      pid = child.pid;
    });
    child.on("message", (message: unknown) => {
      const report = hostReport.safeParse(message);
      if (report.success) listener.report(report.data);
      else options.logger.warn("a message of the daemon was not understood");
    });
    child.once("exit", (code) => {
      hasEnded = true;
      // The code can be wrong, and what says better may come after it: https://github.com/electron/electron/issues/42283
      setImmediate(() => {
        app.off("child-process-gone", onGone);
        const isCrash = gone !== undefined && gone.reason !== "clean-exit" && gone.reason !== "abnormal-exit";
        listener.exited({ code: gone?.exitCode ?? code, reason: isCrash ? gone?.reason : undefined });
      });
    });
    readLines(child, options.onLine);
    return {
      send: (request) => {
        // It would end the main process, too: https://github.com/electron/electron/pull/53293
        if (!hasEnded) child.postMessage(request);
      },
      kill: () => {
        // Electron's own way asks politely, which nothing answers that is stuck.
        if (pid !== undefined && !hasEnded) killQuietly(pid);
        else child.kill();
      },
    };
  };
}

function readLines(child: UtilityProcess, onLine: (line: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    const lines = new LineSplitter(onLine);
    stream?.on("data", (chunk: Buffer) => lines.add(chunk.toString("utf8")));
    stream?.on("end", () => lines.end());
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
