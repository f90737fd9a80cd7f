// A world for the supervisor in which nothing is real: time is vitest's, daemons are objects, and what is done is noted.
import { onTestFinished, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import type { ChildExit, ChildListener, Discovery, Health, KnownDaemon } from "../../main/supervisor/ports.ts";
import { Supervisor } from "../../main/supervisor/supervisor.ts";
import type { HostReport, HostRequest } from "../../protocol/desktop/daemon-host.ts";
import type { SupervisorState, SupervisorView } from "../../protocol/desktop/index.ts";
import { FEATURES, PROTOCOL_VERSION } from "../../protocol/version.ts";

export const VERSION = "1.2.3";

/** A daemon as it would introduce itself. */
export function daemonLike(changes: Partial<KnownDaemon> = {}): KnownDaemon {
  return {
    protocol: PROTOCOL_VERSION,
    version: VERSION,
    schema: 7,
    pid: 4711,
    address: "http://127.0.0.1:4766",
    instanceId: "dmn_1",
    adminToken: "x".repeat(43),
    owner: "cli",
    ...changes,
  };
}

/** One process that the supervisor has started. */
export class FakeChild {
  readonly requests: HostRequest[] = [];
  readonly listener: ChildListener;
  wasKilled = false;
  /** Whether it answers beats and shuts down when asked; one that does not can only be killed. */
  isResponsive = true;
  hasExited = false;
  readonly pid: number;

  constructor(listener: ChildListener, pid: number) {
    this.listener = listener;
    this.pid = pid;
  }

  send(request: HostRequest): void {
    this.requests.push(request);
    if (!this.isResponsive) return;
    if (request.kind === "beat") this.report(request);
    if (request.kind === "shutdown") {
      this.report({ kind: "stopped" });
      this.exit({ code: 0, reason: undefined });
    }
  }

  kill(): void {
    this.wasKilled = true;
    this.exit({ code: undefined, reason: "killed" });
  }

  report(report: HostReport): void {
    this.listener.report(report);
  }

  ready(changes: Partial<KnownDaemon> = {}): void {
    const { owner: _, ...handshake } = daemonLike({ pid: this.pid, instanceId: `dmn_${this.pid}`, ...changes });
    this.report({ kind: "ready", handshake });
  }

  fail(
    code: "CONFLICT" | "INVALID_ARGUMENT" | "PERMISSION_DENIED" | "INTERNAL",
    details: Record<string, unknown>,
  ): void {
    this.report({ kind: "failed", error: { code, message: "it said why", details } });
    this.exit({ code: 1, reason: undefined });
  }

  exit(exit: ChildExit): void {
    if (this.hasExited) return;
    this.hasExited = true;
    this.listener.exited(exit);
  }
}

export class SupervisedWorld {
  readonly children: FakeChild[] = [];
  readonly views: SupervisorView[] = [];
  /** The daemons there were to talk to, in order; undefined for none. */
  readonly told: (KnownDaemon | undefined)[] = [];
  readonly ended: [pid: number, how: string][] = [];
  readonly prepared: string[] = [];
  readonly supervisor: Supervisor;
  discovery: Discovery | Error = { state: "none" };
  /** What the daemon's health is; "never" stands for no answer in time. */
  health: Health | Error | "never" = "ok";
  alive = new Set<number>();
  random = 1;
  spawnError: Error | undefined;
  /** Whether a process that is asked to end does. */
  obeys = true;

  constructor() {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    this.supervisor = new Supervisor(
      {
        timers: systemTimers,
        random: () => this.random,
        logger: silentLogger,
        discover: async () => {
          if (this.discovery instanceof Error) throw this.discovery;
          return this.discovery;
        },
        spawn: (listener) => {
          if (this.spawnError) throw this.spawnError;
          const child = new FakeChild(listener, 100 + this.children.length);
          this.children.push(child);
          return child;
        },
        startRequest: () => ({ kind: "start", dataDir: "/data", runtimeDir: "/run", parentPid: 1 }),
        startTimeoutMs: () => 20_000,
        health: async () => {
          if (this.health instanceof Error) throw this.health;
          if (this.health === "never") return await new Promise<Health>(() => {});
          return this.health;
        },
        isAlive: (pid) => this.alive.has(pid),
        end: (pid, how) => {
          this.ended.push([pid, how]);
          if (this.obeys || how === "at-once") this.alive.delete(pid);
        },
        prepare: async ({ instanceId }) => void this.prepared.push(instanceId),
        lastLines: () => ["the last line"],
        onView: (view) => void this.views.push(view),
        onDaemon: (daemon) => void this.told.push(daemon),
      },
      VERSION,
    );
  }

  get view(): SupervisorView {
    return this.supervisor.view;
  }

  get states(): SupervisorState[] {
    return this.views.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
  }

  /** The process that was started last. */
  get child(): FakeChild {
    const child = this.children.at(-1);
    if (!child) throw new Error("nothing was started");
    return child;
  }

  /** Lets time pass, and everything that is due happen. */
  async pass(ms = 0): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
  }

  /** Somebody else's daemon runs. */
  runsElsewhere(changes: Partial<KnownDaemon> = {}, features: readonly string[] = FEATURES): KnownDaemon {
    const daemon = daemonLike(changes);
    this.alive.add(daemon.pid);
    this.discovery = { state: "running", daemon, features };
    return daemon;
  }

  /** From nothing to a daemon of our own that is ready. */
  async untilReady(): Promise<FakeChild> {
    this.supervisor.start();
    await this.pass();
    this.child.ready();
    await this.pass();
    return this.child;
  }

  /** Until the next start, and no longer. */
  async nextStart(): Promise<FakeChild> {
    await this.pass(Date.parse(this.view.nextAttemptAt ?? "") - Date.now());
    return this.child;
  }
}
