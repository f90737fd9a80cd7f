import type { OperationInput, OperationName, OperationResult } from "../../protocol/index.ts";
import { type CallOptions, Refused } from "../support/http.ts";
import type { DaemonProcess } from "./daemon-process.ts";

/** A daemon that comes and goes, for clients that do not give up. */
export class Comeback {
  #up = Promise.withResolvers<DaemonProcess>();
  #daemon: DaemonProcess | undefined;
  /** Calls that ended without an answer. */
  interrupted = 0;

  arrived(daemon: DaemonProcess): void {
    this.#daemon = daemon;
    this.#up.resolve(daemon);
  }

  gone(): void {
    this.#daemon = undefined;
    this.#up = Promise.withResolvers();
  }

  /** Calls until there is an answer, as a client does that cannot know whether its last call was heard. */
  async call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: CallOptions,
    onRetry: () => void = () => {},
  ): Promise<OperationResult<N>> {
    for (;;) {
      const daemon = this.#daemon ?? (await this.#up.promise);
      try {
        return await daemon.call(name, input, options);
      } catch (error) {
        if (error instanceof Refused) {
          if (error.error.code !== "BACKPRESSURE") throw error;
          await pause(10);
          continue;
        }
        // Only a connection that broke may pass; an answer that breaks the contract is a defect.
        if (!(error instanceof TypeError || (error as { code?: string }).code === "ECONNRESET")) throw error;
        this.interrupted += 1;
        onRetry();
        // Until the test has noticed, too, that the daemon is gone.
        if (this.#daemon === daemon) await pause(5);
      }
    }
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** What must never happen, found out by the clients themselves. */
export class Ledger {
  readonly problems: string[] = [];
  /** Message ids by what was sent. */
  readonly accepted = new Map<string, string>();
  readonly acknowledged = new Set<string>();
  readonly deliveries = new Map<string, number>();
  readonly completed = new Map<string, string>();
  redelivered = 0;

  accept(what: string, messageId: string): void {
    if (this.accepted.has(what)) this.problems.push(`${what} was accepted twice`);
    this.accepted.set(what, messageId);
  }

  deliver(messageId: string, what: string): void {
    if (this.acknowledged.has(messageId)) this.problems.push(`${what} was delivered after it had been acknowledged`);
    const times = (this.deliveries.get(messageId) ?? 0) + 1;
    this.deliveries.set(messageId, times);
    if (times > 1) this.redelivered += 1;
  }

  complete(taskId: string, worker: string): void {
    const before = this.completed.get(taskId);
    if (before !== undefined) this.problems.push(`Task ${taskId} was completed by ${before} and by ${worker}`);
    this.completed.set(taskId, worker);
  }
}
