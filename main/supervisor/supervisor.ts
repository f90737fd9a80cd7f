import type { Handshake } from "../../protocol/desktop/daemon-host.ts";
import type { SupervisorState, SupervisorView } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";
import { PROTOCOL_VERSION } from "../../protocol/version.ts";
import { Failures, restartDelayMs } from "./backoff.ts";
import { incompatibility } from "./compatibility.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { ChildExit, Discovery, Health, KnownDaemon, SupervisorPorts } from "./ports.ts";
import { isFinal, isFromTheFuture, isInTheWay, type Problem, problems } from "./problems.ts";
import { endProcess, type LastWords, RunningChild } from "./running-child.ts";

const SETTLED_AFTER_MS = 60_000;
/** How often others' daemons are looked for while there is nothing else to do. */
const LOOK_MS = 5000;
const MISSES_UNTIL_UNRESPONSIVE = 2;

/** States in which nothing happens but looking whether somebody else has changed it. */
const WAITING: readonly SupervisorState[] = ["stopped", "failed", "incompatible"];

/**
 * Sees to it that there is a daemon: takes the one that runs, or starts one, and starts it again when it ends. Does nothing
 * to the world but through its ports. What it knows is its {@link view}.
 */
export class Supervisor {
  readonly #ports: SupervisorPorts;
  readonly #version: string;
  readonly #failures = new Failures();
  #view: SupervisorView;
  /** Whether there is to be a daemon. */
  #wanted = false;
  /** The daemon's process, when it is ours. */
  #child: RunningChild | undefined;
  #daemon: KnownDaemon | undefined;
  #heart: Heartbeat | undefined;
  /** The one timer of the state: each state begins by clearing it. */
  #timer: unknown;
  /** Grows with each state, so that answers to questions of an earlier one are recognised. */
  #turn = 0;
  #stopping: Promise<void> | undefined;

  constructor(ports: SupervisorPorts, version: string) {
    this.#ports = ports;
    this.#version = version;
    this.#view = { state: "stopped", since: this.#now(), failures: 0 };
  }

  get view(): SupervisorView {
    return this.#view;
  }

  /** Looks for a daemon, and starts one where there is none. Does nothing while there is one. */
  start(): void {
    this.#wanted = true;
    if (WAITING.includes(this.#view.state)) this.#look();
  }

  /**
   * Begins again at the wish of the human: after it has failed or was stopped, and by ending a daemon that does not answer.
   * @throws {IntercomError} CONFLICT while a daemon that belongs to somebody else is in good order
   */
  async restart(): Promise<void> {
    if (this.#view.state === "ready" && !this.#child) {
      throw new IntercomError("CONFLICT", "Somebody else has started this daemon. Stop it with: agent-intercom stop", {
        reason: "not_ours",
      });
    }
    this.#wanted = true;
    await this.#end(this.#view.state === "unresponsive");
    // The app may have been quit meanwhile.
    if (!this.#wanted) return;
    this.#failures.forget();
    this.#look();
  }

  /** Ends the daemon if it is ours; leaves that of others alone. Resolves when that is done. Repeatable. */
  stop(): Promise<void> {
    this.#wanted = false;
    if (this.#child) this.#stopping ??= this.#end(false).finally(() => this.#stopped());
    else if (!this.#stopping) this.#stopped();
    return this.#stopping ?? Promise.resolve();
  }

  /** The machine goes to sleep. */
  suspend(): void {
    this.#heart?.pause();
  }

  /** The machine has woken up. */
  resume(): void {
    this.#heart?.resume();
    // Its time went on while the daemon's did not.
    if (this.#view.state === "starting") this.#limitStart();
  }

  /** There are signs that the daemon has ended: finds out now rather than at the next beat. */
  check(): void {
    this.#heart?.hurry();
  }

  #stopped(): void {
    this.#stopping = undefined;
    this.#forget();
    this.#enter("stopped");
  }

  #look(): void {
    this.#forget();
    const turn = this.#enter("adopting");
    this.#ports.discover().then(
      (found) => turn === this.#turn && this.#found(found),
      (error: unknown) => turn === this.#turn && this.#trouble(problems.notStarted(messageOf(error))),
    );
  }

  #found(found: Discovery): void {
    switch (found.state) {
      case "none":
        this.#launch();
        break;
      case "untrusted":
        this.#wait("failed", problems.untrusted(found.reason));
        break;
      case "silent":
        this.#adopt(found.daemon);
        this.#enter("unresponsive", problems.silent());
        break;
      case "running": {
        const problem = incompatibility(found);
        if (problem) this.#wait("incompatible", problem);
        else {
          this.#adopt(found.daemon);
          this.#ready();
        }
        break;
      }
    }
  }

  #adopt(daemon: KnownDaemon): void {
    this.#ports.logger.info("found a daemon that runs", { pid: daemon.pid, owner: daemon.owner });
    this.#take(daemon, () => this.#ports.health(daemon));
  }

  #launch(): void {
    const turn = this.#enter("starting");
    try {
      const child = new RunningChild(this.#ports, {
        ready: (handshake) => turn === this.#turn && void this.#welcome(child, handshake, turn),
        ended: (exit, words) => this.#exited(exit, words),
      });
      this.#child = child;
      this.#limitStart();
    } catch (error) {
      this.#trouble(problems.notStarted(messageOf(error)));
    }
  }

  #limitStart(): void {
    this.#after(this.#ports.startTimeoutMs(), () => this.#child?.giveUp());
  }

  async #welcome(child: RunningChild, handshake: Handshake, turn: number): Promise<void> {
    const daemon: KnownDaemon = { ...handshake, owner: "desktop" };
    if (daemon.protocol !== PROTOCOL_VERSION || daemon.version !== this.#version) {
      await this.#end(false);
      if (this.#wanted) this.#wait("incompatible", problems.otherVersion(daemon.version, this.#version));
      return;
    }
    try {
      await this.#ports.prepare(daemon);
    } catch (error) {
      this.#ports.logger.warn("the daemon could not be prepared", { error });
    }
    if (turn !== this.#turn) return;
    this.#take(daemon, async () => {
      const [health] = await Promise.all([this.#ports.health(daemon), child.beat()]);
      return health;
    });
    this.#ready();
  }

  #take(daemon: KnownDaemon, health: () => Promise<Health>): void {
    this.#daemon = daemon;
    this.#heart?.end();
    const probe = async (): Promise<void> => {
      const found = await health();
      if (found !== "ok") throw new Unwell(found);
    };
    this.#heart = new Heartbeat(this.#ports.timers, probe, {
      missed: (misses, why) => this.#missed(daemon, misses, why),
      answered: () => this.#view.state === "unresponsive" && this.#ready(),
    });
    this.#ports.onDaemon(daemon);
  }

  #missed(daemon: KnownDaemon, misses: number, why: unknown): void {
    const { pid } = daemon;
    const health = why instanceof Unwell ? why.health : undefined;
    // Our own child tells of its end itself.
    if (!this.#child) {
      if (health === "gone" || !this.#ports.isAlive(pid)) {
        this.#ended(daemon);
        return;
      }
      void this.#seekTraces(daemon);
    }
    this.#ports.logger.warn("the daemon did not answer in time", { pid, misses, health });
    if (misses < MISSES_UNTIL_UNRESPONSIVE) return;
    const problem = health === "storage" ? problems.storage() : problems.silent();
    if (this.#view.problem?.details?.reason !== problem.details?.reason) this.#enter("unresponsive", problem);
  }

  /** Its process may live on although it has stopped, or the number belong to another one; the run file goes last. */
  async #seekTraces(daemon: KnownDaemon): Promise<void> {
    const found = await this.#ports.discover().catch(() => undefined);
    const isThere = !found || found.state === "untrusted" || ("daemon" in found && isSame(found.daemon, daemon));
    if (!isThere && this.#daemon === daemon) this.#ended(daemon);
  }

  #ended({ pid }: KnownDaemon): void {
    this.#ports.logger.info("the daemon of somebody else has ended", { pid });
    this.#look();
  }

  #ready(): void {
    this.#enter("ready");
    this.#after(SETTLED_AFTER_MS, () => {
      this.#failures.settled();
      this.#show({ ...this.#view, failures: 0 });
    });
  }

  #exited(exit: ChildExit, words: LastWords): void {
    this.#child = undefined;
    if (words === "stopped") this.#wait("stopped", problems.stoppedByOthers());
    else if (words === undefined) this.#trouble(problems.ended(exit));
    else if (isFromTheFuture(words)) this.#wait("incompatible", problems.refused(words));
    else if (isFinal(words)) this.#wait("failed", problems.refused(words));
    else this.#trouble(problems.refused(words));
  }

  /** A start or a daemon of ours has failed: once more, after a pause, unless that was often enough. */
  #trouble(problem: Problem): void {
    this.#forget();
    const isEnough = this.#failures.add(this.#ports.timers.now());
    const told = { ...problem, log: this.#ports.lastLines() };
    this.#ports.logger.error("the daemon is not running", { code: problem.code, details: problem.details });
    if (isEnough) {
      this.#wait("failed", told);
      return;
    }
    const delayMs = restartDelayMs(this.#failures.count, this.#ports.random);
    this.#enter("backing-off", told, { nextAttemptAt: this.#now(delayMs) });
    this.#after(delayMs, () => this.#look());
  }

  /** Nothing more can be done here. Somebody else may start a daemon, or take away the one that is in the way. */
  #wait(state: "stopped" | "failed" | "incompatible", problem: Problem): void {
    this.#forget();
    const turn = this.#enter(state, { ...problem, ...(state === "failed" ? { log: this.#ports.lastLines() } : {}) });
    const look = (): void => {
      this.#ports.discover().then(
        (found) => {
          if (turn !== this.#turn || !this.#wanted) return;
          const isUsable = found.state === "running" && !incompatibility(found);
          const isOutOfTheWay = found.state === "none" && isInTheWay(problem);
          if (isUsable || isOutOfTheWay) this.#found(found);
          else this.#after(LOOK_MS, look);
        },
        () => turn === this.#turn && this.#after(LOOK_MS, look),
      );
    };
    this.#after(LOOK_MS, look);
  }

  /** Ends our own daemon, and with `force` also one of others; either at once if it does not answer. */
  async #end(force: boolean): Promise<void> {
    const daemon = this.#daemon;
    const child = this.#child;
    if (!child && !(force && daemon)) return;
    this.#heart?.end();
    this.#enter("stopping");
    if (child) await child.end(force ? "kill" : "ask");
    else if (daemon) await endProcess(daemon.pid, this.#ports);
    if (this.#child === child) this.#child = undefined;
  }

  #forget(): void {
    this.#heart?.end();
    this.#heart = undefined;
    if (this.#daemon) this.#ports.onDaemon(undefined);
    this.#daemon = undefined;
  }

  #enter(state: SupervisorState, problem?: Problem, more: Pick<SupervisorView, "nextAttemptAt"> = {}): number {
    this.#turn += 1;
    this.#ports.timers.clearTimeout(this.#timer);
    const { pid, address, version, owner } = this.#daemon ?? {};
    this.#show({
      state,
      since: this.#now(),
      failures: this.#failures.count,
      ...(pid === undefined ? {} : { pid }),
      ...(address === undefined ? {} : { address }),
      ...(version === undefined ? {} : { version }),
      ...(owner === undefined ? {} : { owner }),
      ...more,
      ...(problem ? { problem } : {}),
    });
    return this.#turn;
  }

  #show(view: SupervisorView): void {
    this.#view = view;
    this.#ports.onView(view);
  }

  #after(ms: number, run: () => void): void {
    this.#ports.timers.clearTimeout(this.#timer);
    this.#timer = this.#ports.timers.setTimeout(run, ms);
  }

  #now(plusMs = 0): string {
    return new Date(this.#ports.timers.now() + plusMs).toISOString();
  }
}

/** It answers, but not well. */
class Unwell extends Error {
  readonly health: Health;

  constructor(health: Health) {
    super(`the daemon's health: ${health}`);
    this.health = health;
  }
}

function isSame(one: KnownDaemon, other: KnownDaemon): boolean {
  return one.instanceId === other.instanceId;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
