import type { Logger } from "../../daemon/runtime/index.ts";
import { redactText } from "../../daemon/runtime/redact.ts";
import { withoutHome } from "../diagnostics/diagnostics.ts";
import type { CrashReport } from "../shell.ts";

export interface CrashOptions {
  readonly process: Pick<NodeJS.Process, "on">;
  readonly logger: Logger;
  readonly homedir: string;
  /** Tells the human, by what needs nothing of the rest of the app. */
  show(report: CrashReport): Promise<"relaunch" | "quit">;
  relaunch(): void;
  quit(): void;
}

/** Sees to errors that nobody has caught: the first is told and ends the app, those that follow from it are only logged. */
export function watchCrashes({ process, logger, homedir, show, relaunch, quit }: CrashOptions): void {
  let isTold = false;
  process.on("uncaughtException", (error) => {
    logger.error("the desktop has failed", { error });
    if (isTold) return;
    isTold = true;
    const details = withoutHome(redactText(error.stack ?? String(error)), homedir);
    show({ message: redactText(error.message), details }).then(
      (choice) => (choice === "relaunch" ? relaunch() : quit()),
      (failure: unknown) => {
        logger.error("the failure could not be shown", { error: failure });
        quit();
      },
    );
  });
  // A promise that nobody waited for leaves the rest in order.
  process.on("unhandledRejection", (reason) => logger.error("a promise was rejected and nobody saw to it", { reason }));
}
