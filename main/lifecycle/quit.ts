import type { Logger } from "../../daemon/runtime/index.ts";
import type { Electron } from "../ports/electron.ts";

/** One thing to do before the end. */
export interface QuitStep {
  readonly name: string;
  run(): Promise<void> | void;
}

export interface QuitOptions {
  readonly steps: readonly QuitStep[];
  readonly logger: Logger;
  /** Ends the process. */
  exit(): void;
}

/**
 * The one way in which the app ends, also before an update is installed: each step is waited for, and one that fails does
 * not keep the others from being done.
 */
export class Quitting {
  readonly #options: QuitOptions;
  #ended: Promise<void> | undefined;
  #exited: Promise<void> | undefined;

  constructor(options: QuitOptions) {
    this.#options = options;
  }

  get hasBegun(): boolean {
    return this.#ended !== undefined;
  }

  /** Does everything but ending the process. Repeatable. */
  prepare(): Promise<void> {
    this.#ended ??= this.#run();
    return this.#ended;
  }

  /** Repeatable; the process ends once. */
  quit(): Promise<void> {
    this.#exited ??= this.prepare().then(() => this.#options.exit());
    return this.#exited;
  }

  async #run(): Promise<void> {
    const { steps, logger } = this.#options;
    for (const { name, run } of steps) {
      try {
        await run();
      } catch (error) {
        logger.error("a step of quitting has failed", { step: name, error });
      }
    }
  }
}

/** Whatever ends an app, ends this one in that way. */
export function quitWith(
  quitting: Pick<Quitting, "quit">,
  { app, powerMonitor }: Pick<Electron, "app" | "powerMonitor">,
  process: Pick<NodeJS.Process, "once">,
): void {
  const quit = (event?: { preventDefault(): void }): void => {
    event?.preventDefault();
    void quitting.quit();
  };
  app.on("before-quit", quit);
  powerMonitor.on("shutdown", quit);
  // With a tray the app goes on without windows; the tray, or who has none, quits by themselves.
  app.on("window-all-closed", () => {});
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => quit());
}
