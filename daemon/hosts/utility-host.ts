import { type HostReport, type HostRequest, hostRequest } from "../../protocol/desktop/daemon-host.ts";
import { IntercomError, isIntercomError, PROTOCOL_VERSION } from "../../protocol/index.ts";
import type { Daemon, DaemonOptions } from "../daemon.ts";
import type { Logger } from "../runtime/index.ts";

/** The port to the process that started this one. */
export interface HostPort {
  postMessage(report: HostReport): void;
  on(event: "message", listener: (event: { readonly data: unknown }) => void): unknown;
}

export interface UtilityHostOptions {
  readonly port: HostPort;
  start(options: DaemonOptions): Promise<Daemon>;
  openLog(directories: Pick<DaemonOptions, "dataDir" | "runtimeDir">): Logger;
  isAlive(pid: number): boolean;
  /** Calls `run` again and again until the process ends. */
  every(ms: number, run: () => void): void;
  /** Ends this process, once what was posted has had time to arrive. */
  exit(code: number): void;
}

const PARENT_CHECK_MS = 2000;

/** Runs a daemon for the desktop: waits for its options, starts, answers beats, and stops when asked or left alone. */
export class UtilityHost {
  readonly #options: UtilityHostOptions;
  #daemon: Promise<Daemon> | undefined;
  #logger: Logger | undefined;

  constructor(options: UtilityHostOptions) {
    this.#options = options;
    options.port.on("message", ({ data }) => this.#take(data));
  }

  /** Stops in good order. Repeatable. */
  async stop(): Promise<void> {
    if (!this.#daemon) return this.#options.exit(0);
    // What goes wrong reaches the main process through the run of the host.
    await this.#daemon.then((daemon) => daemon.stop()).catch(() => {});
  }

  #take(data: unknown): void {
    const request = hostRequest.safeParse(data);
    if (!request.success) {
      this.#logger?.warn("a message of the desktop was not understood");
      return;
    }
    switch (request.data.kind) {
      case "start":
        if (!this.#daemon) void this.#run(request.data);
        break;
      case "beat":
        this.#options.port.postMessage(request.data);
        break;
      case "shutdown":
        void this.stop();
        break;
    }
  }

  async #run({ dataDir, runtimeDir, parentPid }: HostRequest & { readonly kind: "start" }): Promise<void> {
    const { port, start, openLog, every, isAlive, exit } = this.#options;
    try {
      const logger = openLog({ dataDir, runtimeDir });
      this.#logger = logger;
      this.#daemon = start({ dataDir, runtimeDir, owner: "desktop", logger });
      const daemon = await this.#daemon;
      every(PARENT_CHECK_MS, () => {
        if (isAlive(parentPid)) return;
        logger.warn("the desktop is gone without a word", { parentPid });
        void this.stop();
      });
      port.postMessage({ kind: "ready", handshake: handshakeOf(daemon) });
      await daemon.stopped;
      port.postMessage({ kind: "stopped" });
      exit(0);
    } catch (error) {
      const known = isIntercomError(error) ? error : new IntercomError("INTERNAL", String(error));
      this.#logger?.error("the daemon could not go on", { code: known.code, error });
      port.postMessage({ kind: "failed", error: known.toValue() });
      exit(1);
    }
  }
}

function handshakeOf({ address, adminToken, instanceId, schema, version }: Daemon) {
  return { protocol: PROTOCOL_VERSION, version, schema, pid: process.pid, address, instanceId, adminToken };
}
