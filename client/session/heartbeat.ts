import { type Agent, LIMITS, type OperationInput, operations, parseInput } from "../../protocol/index.ts";
import type { AgentClient } from "../clients.ts";
import type { AgentState } from "./options.ts";
import type { ExecutionSource } from "./source.ts";

const TIMEOUT_MS = 10_000;

interface Waiter {
  resolve(agent: Agent): void;
  reject(error: unknown): void;
}

/** Says how the agent is, and lets others wait until the daemon has heard of a change. */
export class Heartbeat {
  readonly #client: AgentClient;
  readonly #source: Pick<ExecutionSource, "leaseMs">;
  #state: AgentState;
  #waiters: Waiter[] = [];

  constructor(client: AgentClient, source: Pick<ExecutionSource, "leaseMs">, initial: AgentState) {
    this.#client = client;
    this.#source = source;
    this.#state = initial;
    this.#input();
  }

  /** A third of the lease, in milliseconds: two heartbeats may fail before it runs out. */
  get intervalMs(): number {
    return (this.#source.leaseMs || LIMITS.leaseDefaultMs) / 3;
  }

  /**
   * Takes over a state for the heartbeats to come.
   * @returns Resolves once the daemon has accepted it.
   * @throws {IntercomError} `INVALID_ARGUMENT`, at once, for a state that no daemon would accept.
   */
  change(state: AgentState): Promise<Agent> {
    const before = this.#state;
    this.#state = { ...before, ...state };
    try {
      this.#input();
    } catch (error) {
      this.#state = before;
      throw error;
    }
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  async send(signal: AbortSignal): Promise<void> {
    const waiters = this.#waiters;
    this.#waiters = [];
    try {
      const agent = await this.#client.heartbeat(this.#input(), { timeoutMs: TIMEOUT_MS, retries: 0, signal });
      for (const waiter of waiters) waiter.resolve(agent);
    } catch (error) {
      this.#waiters.unshift(...waiters);
      throw error;
    }
  }

  /** Disappoints everyone who still waits. */
  end(error: unknown): void {
    for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
  }

  #input(): OperationInput<"heartbeat"> {
    const { leaseMs } = this.#source;
    const lease = leaseMs === undefined ? {} : { leaseMs };
    return parseInput(operations.heartbeat.input, { ...this.#state, ...lease });
  }
}
