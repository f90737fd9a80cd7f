import { sleep } from "../../client/timers.ts";
import type { Handshake } from "../../protocol/desktop/daemon-host.ts";
import type { ErrorValue } from "../../protocol/index.ts";
import type { Child, ChildExit, SupervisorPorts } from "./ports.ts";
import { problems } from "./problems.ts";

/** How long the daemon may take to stop in good order. */
export const STOP_GRACE_MS = 5000;
/** The operating system takes a moment even to kill. */
const KILL_GRACE_MS = 2000;

/** What a child said of its end before it came; nothing when it was cut short. */
export type LastWords = ErrorValue | "stopped" | undefined;

export interface RunningChildListener {
  ready(handshake: Handshake): void;
  /** Called once, unless {@link RunningChild.end} was called before. */
  ended(exit: ChildExit, words: LastWords): void;
}

type ChildPorts = Pick<SupervisorPorts, "spawn" | "startRequest" | "timers" | "logger">;

/** One process of ours in which a daemon runs, from its start to its end. */
export class RunningChild {
  readonly #ports: ChildPorts;
  readonly #child: Child;
  readonly #exited = Promise.withResolvers<void>();
  readonly #beats = new Map<number, () => void>();
  #lastBeat = 0;
  #words: LastWords;
  #isEnding = false;

  /** @throws {Error} when no process can be started */
  constructor(ports: ChildPorts, listener: RunningChildListener) {
    this.#ports = ports;
    this.#child = ports.spawn({
      report: (report) => {
        if (report.kind === "ready") listener.ready(report.handshake);
        else if (report.kind === "failed") this.#words ??= report.error;
        else if (report.kind === "stopped") this.#words ??= "stopped";
        else this.#beats.get(report.id)?.();
      },
      exited: (exit) => {
        this.#exited.resolve();
        ports.logger.info("the daemon has ended", { ...exit });
        if (!this.#isEnding) listener.ended(exit, this.#words);
      },
    });
    this.#child.send(ports.startRequest());
  }

  /** Resolves when the daemon's event loop has answered. */
  async beat(): Promise<void> {
    this.#lastBeat += 1;
    const id = this.#lastBeat;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#beats.set(id, resolve);
    this.#child.send({ kind: "beat", id });
    await promise;
    for (const earlier of this.#beats.keys()) if (earlier <= id) this.#beats.delete(earlier);
  }

  /** Its time to start is over. */
  giveUp(): void {
    this.#words ??= problems.startTimeout();
    this.#child.kill();
  }

  /** Resolves when it has ended, or when even killing has not helped in time. Nothing is told of its end. */
  async end(how: "ask" | "kill"): Promise<void> {
    this.#isEnding = true;
    if (how === "ask") {
      this.#child.send({ kind: "shutdown" });
      if (await this.#exitedWithin(STOP_GRACE_MS)) return;
      this.#ports.logger.warn("the daemon did not stop in time and is killed");
    }
    this.#child.kill();
    await this.#exitedWithin(KILL_GRACE_MS);
  }

  async #exitedWithin(ms: number): Promise<boolean> {
    const waiting = new AbortController();
    const exited = this.#exited.promise.then(() => true);
    const late = sleep(this.#ports.timers, ms, waiting.signal).then(() => false);
    const first = await Promise.race([exited, late]);
    waiting.abort();
    return first;
  }
}

/** Ends a process that is not our child. Resolves when it has ended, or when nothing has helped. */
export async function endProcess(
  pid: number,
  { end, isAlive, timers }: Pick<SupervisorPorts, "end" | "isAlive" | "timers">,
): Promise<void> {
  const LOOK_MS = 100;
  for (const [how, graceMs] of [
    ["politely", STOP_GRACE_MS],
    ["at-once", KILL_GRACE_MS],
  ] as const) {
    if (!isAlive(pid)) return;
    end(pid, how);
    for (let waitedMs = 0; waitedMs < graceMs && isAlive(pid); waitedMs += LOOK_MS) await sleep(timers, LOOK_MS);
  }
}
