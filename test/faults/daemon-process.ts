import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { DaemonOptions } from "../../daemon/index.ts";
import type { OperationInput, OperationName, OperationResult } from "../../protocol/index.ts";
import { type CallOptions, exchange, requestFor, resultOf } from "../support/http.ts";

interface Ready {
  readonly state: "ready";
  readonly address: string;
  readonly adminToken: string;
  readonly instanceId: string;
}

interface Failed {
  readonly state: "failed";
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** What a daemon process tells of its start. */
export type ChildReport = Ready | Failed;

/** Options that can be told to another process. */
export type ChildOptions = Pick<DaemonOptions, "dataDir" | "runtimeDir" | "port" | "owner">;

const running = new Set<ChildProcess>();

/** A daemon that did not start. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly exitCode: number | null;

  constructor(error: Failed["error"], exitCode: number | null) {
    super(error.message);
    this.code = error.code;
    this.details = error.details;
    this.exitCode = exitCode;
  }
}

/** A daemon in another process. */
export class DaemonProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
  readonly address: string;
  readonly adminToken: string;

  private constructor(child: ChildProcess, exit: DaemonProcess["exit"], ready: Ready) {
    this.#child = child;
    this.#exit = exit;
    this.address = ready.address;
    this.adminToken = ready.adminToken;
  }

  /** @throws {StartRefused} when it ends instead of becoming ready */
  static async start(options: ChildOptions): Promise<DaemonProcess> {
    const child = fork(new URL("./daemon-child.ts", import.meta.url), [JSON.stringify({ port: 0, ...options })], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [],
    });
    running.add(child);
    const exit = once(child, "exit").then(([code, signal]) => {
      running.delete(child);
      return [code, signal] as [number | null, NodeJS.Signals | null];
    });
    const report = await Promise.race([
      once(child, "message").then(([message]) => message as ChildReport),
      exit.then(
        ([code, signal]): Failed => ({
          state: "failed",
          error: { code: "UNEXPECTED", message: `The daemon ended with ${signal ?? code} before it said anything` },
        }),
      ),
    ]);
    if (report.state === "ready") return new DaemonProcess(child, exit, report);
    throw new StartRefused(report.error, (await exit)[0]);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** How it ended: exit code and signal. */
  get exit(): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> {
    return this.#exit;
  }

  /** Ends it without warning, as the system does when memory runs out. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exit;
  }

  /** Asks it to stop. Gives its exit code. */
  async terminate(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    return (await this.#exit)[0];
  }

  /** @throws {Refused} when the daemon refuses, or the network's error */
  async call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: CallOptions,
  ): Promise<OperationResult<N>> {
    const answer = await exchange(this.address, requestFor(name, input as Record<string, unknown>), options);
    return resultOf(name, answer) as OperationResult<N>;
  }
}

/** Ends what a failed test has left behind. */
export async function killLeftovers(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }),
  );
}
