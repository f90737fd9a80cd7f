import { isIntercomError } from "../../protocol/index.ts";
import { type AgentCaller, type ConnectorCaller, type Credentials, channels } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";

type Admitted = AgentCaller | ConnectorCaller;

/** Most parties that are remembered. */
const MOST = 10_000;

/**
 * Lets parties in, and remembers them until any credential stops being good: a client makes many calls, and each call is
 * checked once more in the transaction that acts. So at the worst somebody sees a list of tools that is no longer for them.
 */
export class Admissions {
  readonly #engine: Engine;
  readonly #known = new Map<string, Admitted>();
  #forgotten = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
    engine.hub.watch(channels.authority, () => {
      this.#known.clear();
      this.#forgotten += 1;
    });
  }

  /** @throws {IntercomError} UNAUTHENTICATED */
  async admit(credentials: Credentials): Promise<Admitted> {
    const { tokenHash } = credentials;
    const known = tokenHash === undefined ? undefined : this.#known.get(tokenHash);
    if (known && isStillGood(known, this.#engine.clock.now())) return known;
    const before = this.#forgotten;
    const admitted = await this.#lookUp(credentials);
    if (this.#known.size >= MOST) this.#known.clear();
    // What was looked up before everything was forgotten may be one of the reasons for that.
    if (tokenHash !== undefined && before === this.#forgotten) this.#known.set(tokenHash, admitted);
    return admitted;
  }

  async #lookUp(credentials: Credentials): Promise<Admitted> {
    try {
      // Whoever may ask who it is may use tools.
      return await this.#engine.checkAuthority("whoAmI", credentials);
    } catch (error) {
      if (!isIntercomError(error, "UNAUTHENTICATED") || error.details?.reason !== "unknown") throw error;
      return await this.#engine.checkAuthority("connect", credentials).catch((refused: unknown) => {
        // Most who are refused meant to be an agent.
        throw isIntercomError(refused, "UNAUTHENTICATED") ? error : refused;
      });
    }
  }
}

function isStillGood(party: Admitted, now: number): boolean {
  return party.kind === "connector" || party.leaseExpiresAt > now;
}
