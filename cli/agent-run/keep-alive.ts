import type { AgentClient } from "../../client/index.ts";
import { isIntercomError } from "../../protocol/index.ts";

/**
 * Renews the lease of an execution whose token another process uses.
 *
 * Not an `AgentSession`, for two reasons: a session that lost its lease registers again, and the new token could not reach
 * the child that holds the old one; and a session sets the agent's state, which here is the child's to set. Each beat
 * repeats the state the daemon has.
 */
export class KeepAlive {
  readonly #agent: AgentClient;
  readonly #leaseMs: number;
  readonly #tell: (problem: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #failing = false;

  constructor(agent: AgentClient, leaseMs: number, tell: (problem: string) => void) {
    this.#agent = agent;
    this.#leaseMs = leaseMs;
    this.#tell = tell;
  }

  start(): void {
    this.#schedule(this.#leaseMs / 3);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#beat(), delayMs);
    this.#timer.unref();
  }

  async #beat(): Promise<void> {
    try {
      const { agent } = await this.#agent.whoAmI();
      await this.#agent.heartbeat({ lifecycle: agent.lifecycle, ready: agent.ready, leaseMs: this.#leaseMs });
      if (this.#failing) this.#tell("the daemon answers again");
      this.#failing = false;
      this.#schedule(this.#leaseMs / 3);
    } catch (error) {
      if (this.#stopped) return;
      if (isIntercomError(error, "UNAUTHENTICATED")) return this.#tell(lossText(error.details?.reason));
      if (!this.#failing) this.#tell("the daemon does not answer; trying again");
      this.#failing = true;
      this.#schedule(Math.min(5000, this.#leaseMs / 10) * (0.5 + Math.random()));
    }
  }
}

function lossText(reason: unknown): string {
  if (reason === "replaced")
    return "another program took over this agent; what this one asks for is refused from now on";
  return "this agent's lease has ended, e.g. while the computer slept; start the program again to be an agent again";
}
