import { type ChildProcess, fork } from "node:child_process";
import { constants } from "node:os";
import process from "node:process";
import { PassThrough, type Readable } from "node:stream";
import type { ForkOptions } from "electron";
import { app } from "../app/app.ts";
import { running } from "../app/running.ts";
import { Offered, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

const childSide = new URL("./utility-child.ts", import.meta.url).href;
let count = 0;

/** Electron's `UtilityProcess`: a real process of Node's, with `process.parentPort` in it. */
class UtilityProcess extends OfferedEmitter {
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly #child: ChildProcess;
  readonly #serviceName: string;
  readonly #name: string = `utilityProcess ${++count}`;
  #pid: number | undefined;
  #isGone = false;

  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super();
    recordings.add(this.#name, "fork", modulePath, args, options);
    const { env = process.env, execArgv = [], cwd, stdio = "inherit", serviceName = "Node Utility Process" } = options;
    this.#serviceName = serviceName;
    // Like Electron's, these have no standard input.
    const [, out = "inherit", err = "inherit"] = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio].map(streamKind);
    this.#child = fork(modulePath, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: env as NodeJS.ProcessEnv,
      execArgv: [...execArgv, "--import", childSide],
      serialization: "advanced",
      stdio: ["ignore", out, err, "ipc"],
    });
    this.stdout = this.#child.stdout?.pipe(new PassThrough()) ?? null;
    this.stderr = this.#child.stderr?.pipe(new PassThrough()) ?? null;
    running.utilityProcesses.add(this);
    this.#listen();
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  /** Says nothing when the process is gone, as Electron does: whoever needs an answer has to wait for one. */
  postMessage(message: unknown): void {
    if (this.#isGone || !this.#child.connected) {
      recordings.add(this.#name, "lost message");
      return;
    }
    // The process may go away while the message is on its way.
    this.#child.send({ message }, (error) => {
      if (error) recordings.add(this.#name, "lost message");
    });
  }

  /** Asks it to end; whether there was somebody to ask. */
  kill(): boolean {
    recordings.add(this.#name, "kill");
    return !this.#isGone && this.#child.kill("SIGTERM");
  }

  #listen(): void {
    this.#child.on("spawn", () => {
      this.#pid = this.#child.pid;
      this.emit("spawn");
    });
    this.#child.on("message", ({ message }: { message: unknown }) => this.emit("message", message));
    this.#child.on("error", (error) => process.stderr.write(`${this.#name}: ${error.message}\n`));
    this.#child.on("exit", (code, signal) => this.#exited(code, signal));
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    this.#isGone = true;
    this.#pid = undefined;
    running.utilityProcesses.delete(this);
    const exitCode = code ?? (signal === null ? 0 : constants.signals[signal]);
    this.emit("exit", exitCode);
    if (exitCode === 0) return;
    const details = {
      type: "Utility",
      reason: reasonOf(signal),
      exitCode,
      serviceName: "node.mojom.NodeService",
      name: this.#serviceName,
    };
    // In Electron, too, `exit` may come first: an app has to wait for both.
    setImmediate(() => app.emit("child-process-gone", {}, details));
  }
}

function streamKind(word: string): "pipe" | "ignore" | "inherit" {
  if (word === "pipe" || word === "ignore" || word === "inherit") return word;
  throw new TypeError(`Invalid value for stdio: ${word}`);
}

function reasonOf(signal: NodeJS.Signals | null): string {
  if (signal === null) return "abnormal-exit";
  return signal === "SIGKILL" || signal === "SIGTERM" ? "killed" : "crashed";
}

/** Electron's `utilityProcess`. */
class UtilityProcesses extends Offered {
  fork(modulePath: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!app.isReady()) throw new Error("utilityProcess cannot be created before app is ready.");
    return new UtilityProcess(modulePath, args, options);
  }
}

export const utilityProcess: UtilityProcesses = new UtilityProcesses();
