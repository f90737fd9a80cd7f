import { z } from "zod";
import type { Run } from "../../core/run.ts";
import type { Caller } from "../../http/caller.ts";
import { agent, registration } from "../local-0.1/objects.ts";
import { Agent } from "../local-0.1/world.ts";

export const LEASE_MS = 30_000;
const BEAT_EVERY_MS = 100;

/** An agent whose execution and heartbeats belong to the runner, as they belong to a launcher in real life. */
export class ManagedSession {
  readonly agent: Agent;
  readonly token: string;
  /** Heartbeats that were answered. */
  beats = 0;
  #stopped = false;
  #beating: Promise<void>;

  private constructor(agent: Agent, token: string) {
    this.agent = agent;
    this.token = token;
    this.#beating = this.#beatOn();
  }

  static async start(run: Run, owner: Caller, input: Readonly<Record<string, unknown>>): Promise<ManagedSession> {
    const registered = await owner.post("/v1/agents", { leaseMs: LEASE_MS, ...input }, registration, 201);
    const session = new ManagedSession(new Agent(owner, registered), registered.agentToken);
    run.atEnd(() => session.stop());
    return session;
  }

  /** Ends the heartbeats and leaves the execution to its lease. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#beating;
  }

  /** Ends the heartbeats and the execution. */
  async close(): Promise<void> {
    await this.stop();
    await this.agent.post("/v1/me/retire", {}, z.looseObject({ retired: z.literal(true) }));
  }

  async #beatOn(): Promise<void> {
    while (!this.#stopped) {
      try {
        const beat = { lifecycle: "ready", ready: true, leaseMs: LEASE_MS };
        await this.agent.patch("/v1/me/heartbeat", beat, agent);
        this.beats += 1;
      } catch {
        // Once is nothing; an execution that has ended is noticed by the checks.
      }
      await new Promise((resolve) => setTimeout(resolve, BEAT_EVERY_MS));
    }
  }
}
