import { isIntercomError, type Message } from "../../protocol/index.ts";
import { backoffMs } from "../backoff.ts";
import type { AgentClient } from "../clients.ts";
import { isTransient } from "../failure.ts";
import { sleep, type Timers } from "../timers.ts";
import type { Lease } from "./lease.ts";
import { RecentIds } from "./recent-ids.ts";

const RETRY = { baseMs: 250, maxMs: 5_000 };
const REMEMBERED_MESSAGES = 10_000;

export interface ContextOptions {
  readonly timers: Timers;
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

/** What the parts of one session share. */
export class SessionContext {
  readonly client: AgentClient;
  readonly lease: Lease;
  readonly timers: Timers;
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
  /** Messages that are dealt with, whether or not the daemon has heard of it yet. */
  readonly handled = new RecentIds(REMEMBERED_MESSAGES);
  /** Aborts when handlers of this session should give up. */
  readonly work = new AbortController();
  readonly #background = new Set<Promise<unknown>>();
  /** The inbox has a reader. */
  reading = false;
  /** The reader is waiting for messages right now, so a reply will come through it. */
  receiving = false;

  constructor(lease: Lease, { timers, random, onError }: ContextOptions) {
    this.lease = lease;
    this.client = lease.client;
    this.timers = timers;
    this.random = random;
    this.onError = onError;
    lease.ended.addEventListener("abort", () => this.work.abort(lease.ended.reason), { once: true });
  }

  /**
   * Repeats `run` through daemon restarts and lost leases until it succeeds, fails for good, or `signal` aborts.
   * Only for calls that may be repeated; give them a fixed idempotency key where they take one.
   */
  async persist<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      await this.lease.whenLive(signal);
      const token = this.lease.registration.agentToken;
      try {
        return await run();
      } catch (error) {
        if (signal?.aborted) throw error;
        this.lease.report(error, token);
        if (this.lease.ended.aborted) throw this.lease.ended.reason;
        if (!isTransient(error) && !this.#lostMeanwhile(error, token)) throw error;
        this.onError(error);
        await sleep(this.timers, backoffMs(attempt, RETRY, this.random), signal ?? this.lease.ended);
      }
    }
  }

  /**
   * Acknowledges messages, come what may: they are remembered, and a failure is reported rather than thrown.
   * @returns Number of messages this ended. None means that they had not been delivered yet, or were acknowledged before.
   */
  async acknowledge(messages: readonly Pick<Message, "id">[]): Promise<number> {
    const messageIds = messages.map((message) => message.id);
    if (messageIds.length === 0) return 0;
    for (const id of messageIds) this.handled.add(id);
    try {
      return (await this.persist(() => this.client.acknowledgeMessages({ messageIds }))).acknowledged;
    } catch (error) {
      this.onError(error);
      return 0;
    }
  }

  /** Work nobody waits for but {@link settled}; what it throws is reported. */
  inBackground(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work.catch(this.onError).finally(() => this.#background.delete(tracked));
    this.#background.add(tracked);
  }

  /** Resolves when nothing is going on in the background. */
  async settled(): Promise<void> {
    await Promise.all(this.#background);
  }

  #lostMeanwhile(error: unknown, token: string): boolean {
    if (!isIntercomError(error, "UNAUTHENTICATED")) return false;
    return this.lease.state !== "live" || this.lease.registration.agentToken !== token;
  }
}
