import {
  type Agent,
  type Connection,
  IntercomError,
  isIntercomError,
  type Registration,
} from "../../protocol/index.ts";
import { backoffMs } from "../backoff.ts";
import type { AgentClient } from "../clients.ts";
import { failure, failureReason, isTransient, toIntercomError } from "../failure.ts";
import { sleep, type Timers } from "../timers.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { AgentState, SessionState } from "./options.ts";
import { Pacer } from "./pacer.ts";
import type { ExecutionSource } from "./source.ts";

export interface LeaseOptions {
  readonly source: ExecutionSource;
  readonly initial: AgentState;
  readonly heartbeatIntervalMs: number | undefined;
  readonly timers: Timers;
  readonly random: () => number;
  readonly onStateChange: (state: SessionState) => void;
  readonly onError: (error: unknown) => void;
}

const RETRY = { baseMs: 500, maxMs: 5_000 };
/** The daemon says that the execution is over, but not that somebody else took its place. */
const RENEWABLE = new Set<unknown>(["expired", "retired", "unknown"]);

/** Holds an execution of one agent: begins it, renews its lease, and takes a new one when it was lost. */
export class Lease {
  readonly client: AgentClient;
  readonly #options: LeaseOptions;
  readonly #heartbeat: Heartbeat;
  readonly #pacer: Pacer;
  readonly #ended = new AbortController();
  readonly #closing = new AbortController();
  readonly #watchers = new Set<() => void>();
  #registration: Registration | Connection | undefined;
  #running: Promise<void> = Promise.resolve();
  #state: SessionState = "starting";
  #lost = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#pacer = new Pacer(options.timers);
    this.client = options.source.agent(() => this.registration.agentToken);
    this.#heartbeat = new Heartbeat(this.client, options.source, options.initial);
  }

  /** Aborts when the lease is over for good; the reason is the error that ended it, or says that it was closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get state(): SessionState {
    return this.#state;
  }

  get registration(): Registration | Connection {
    if (this.#registration) return this.#registration;
    throw new IntercomError("CONFLICT", "The session is not registered yet");
  }

  /** Begins an execution and sends the first heartbeat, without retries of its own. */
  async open(): Promise<void> {
    // Not to be cancelled half way: an execution nobody knows the token of would block the agent until its lease ends.
    this.#registration = await this.#options.source.begin();
    try {
      await this.#heartbeat.send(this.#closing.signal);
    } catch (error) {
      await this.close(5_000);
      throw error;
    }
    this.#become("live");
    this.#running = this.#run();
  }

  async setState(state: AgentState): Promise<Agent> {
    if (this.ended.aborted) throw this.ended.reason;
    const accepted = this.#heartbeat.change(state);
    this.#pacer.wake();
    return accepted;
  }

  /** Tells the lease how a call with `token` failed, so that it need not wait for its own heartbeat to find out. */
  report(error: unknown, token: string): void {
    if (this.#closing.signal.aborted || token !== this.#registration?.agentToken) return;
    if (isIntercomError(error, "UNAUTHENTICATED")) this.#refused(error);
    else if (this.#state !== "live" || failureReason(error) === undefined) return;
    this.#pacer.wake();
  }

  /** Resolves while the daemon answers and the lease is current. */
  async whenLive(signal?: AbortSignal): Promise<void> {
    while (this.#state !== "live") {
      if (this.ended.aborted) throw this.ended.reason;
      if (signal?.aborted) throw failure("aborted", "The call was aborted", signal.reason);
      await new Promise<void>((resolve) => {
        const next = (): void => {
          this.#watchers.delete(next);
          signal?.removeEventListener("abort", next);
          resolve();
        };
        this.#watchers.add(next);
        signal?.addEventListener("abort", next, { once: true });
      });
    }
  }

  /** Retires the execution, in `timeoutMs` at most. What cannot be said in that time, the end of the lease will say. */
  async close(timeoutMs: number): Promise<void> {
    if (this.ended.aborted) return;
    this.#closing.abort();
    this.#pacer.wake();
    const enough = new AbortController();
    const retired = this.#running
      .then(() => this.client.retire({}, { timeoutMs, retries: 1 }))
      .catch((error: unknown) => this.#options.onError(error));
    await Promise.race([retired, sleep(this.#options.timers, timeoutMs, enough.signal)]);
    enough.abort();
    this.#end(failure("aborted", "The session was closed"));
  }

  async #run(): Promise<void> {
    const interval = this.#options.heartbeatIntervalMs ?? this.#heartbeat.intervalMs;
    for (let failures = 0; ; ) {
      await this.#pacer.pause(failures === 0 ? interval : backoffMs(failures, RETRY, this.#options.random));
      if (this.#closing.signal.aborted) return;
      try {
        await this.#renew();
        failures = 0;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        failures += 1;
        this.#options.onError(error);
        this.#become("reconnecting");
      }
    }
  }

  async #renew(): Promise<void> {
    if (this.#lost) await this.#beginAgain();
    const token = this.registration.agentToken;
    try {
      await this.#heartbeat.send(this.#closing.signal);
    } catch (error) {
      if (isIntercomError(error, "UNAUTHENTICATED") && token === this.registration.agentToken) this.#refused(error);
      throw error;
    }
    if (!this.#lost) this.#become("live");
  }

  async #beginAgain(): Promise<void> {
    try {
      this.#registration = await this.#options.source.begin(this.registration.agentId);
      this.#lost = false;
    } catch (error) {
      if (!isTransient(error)) this.#end(toIntercomError(error));
      throw error;
    }
  }

  /** The daemon no longer knows the token. */
  #refused(error: IntercomError): void {
    const reason = error.details?.reason;
    const { agentId } = this.registration;
    if (RENEWABLE.has(reason)) {
      this.#lost = true;
      this.#become("reconnecting");
    } else if (reason === "replaced") {
      const message = `Another session took over agent ${agentId}; this one has ended`;
      this.#end(new IntercomError("UNAUTHENTICATED", message, { reason, agentId }, { cause: error }));
    } else {
      // Without a reason registering again could throw out whoever took over, and so on for ever.
      this.#end(error);
    }
  }

  #end(error: IntercomError): void {
    if (this.ended.aborted) return;
    this.#closing.abort();
    this.#pacer.wake();
    this.#become("ended");
    this.#heartbeat.end(error);
    this.#ended.abort(error);
  }

  #become(state: SessionState): void {
    if (state === this.#state || this.#state === "ended") return;
    this.#state = state;
    this.#options.onStateChange(state);
    for (const watcher of [...this.#watchers]) watcher();
  }
}
