import type { Timers } from "../../client/index.ts";
import type { DaemonOwner, Logger } from "../../daemon/runtime/index.ts";
import type { Handshake, HostReport, HostRequest } from "../../protocol/desktop/daemon-host.ts";
import type { SupervisorView } from "../../protocol/desktop/index.ts";

/** A daemon, whoever started it. */
export interface KnownDaemon extends Handshake {
  readonly owner: DaemonOwner;
}

/** What there was before anything was started. */
export type Discovery =
  | { readonly state: "none" }
  /** `features` are what it says it can do. */
  | { readonly state: "running"; readonly daemon: KnownDaemon; readonly features: readonly string[] }
  /** Its process lives, but it does not answer. */
  | { readonly state: "silent"; readonly daemon: KnownDaemon }
  /** The run file may have been written by somebody else. */
  | { readonly state: "untrusted"; readonly reason: string };

/** `gone`: another daemon, or none, has its place by now. `storage`: it answers, but cannot get at its data. */
export type Health = "ok" | "storage" | "gone";

/** A process that we have started. */
export interface Child {
  send(request: HostRequest): void;
  /** At once, whatever it is doing. */
  kill(): void;
}

export interface ChildExit {
  readonly code: number | undefined;
  /** What the operating system or Electron says of it, e.g. `oom`. */
  readonly reason: string | undefined;
}

export interface ChildListener {
  report(report: HostReport): void;
  /** Called once, after everything else. */
  exited(exit: ChildExit): void;
}

/** Everything that the supervisor does to the world. */
export interface SupervisorPorts {
  readonly timers: Timers;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly logger: Logger;
  discover(): Promise<Discovery>;
  /** @throws {Error} when no process can be started */
  spawn(listener: ChildListener): Child;
  /** What the daemon is told to start with. */
  startRequest(): HostRequest & { readonly kind: "start" };
  /** How long this start may take: data is copied and checked after an update or a crash. */
  startTimeoutMs(): number;
  /** Asks over HTTP; rejects when there is no answer. */
  health(daemon: KnownDaemon): Promise<Health>;
  isAlive(pid: number): boolean;
  /** Asks a process that is not our child to end, or ends it. */
  end(pid: number, how: "politely" | "at-once"): void;
  /** What has to be there before anybody uses the daemon. */
  prepare(daemon: KnownDaemon): Promise<void>;
  /** The last lines of the daemon's log, oldest first. */
  lastLines(): readonly string[];
  onView(view: SupervisorView): void;
  /** Which daemon there is to talk to from now on, if any. */
  onDaemon(daemon: KnownDaemon | undefined): void;
}
