import type { AgentSession } from "../../client/index.ts";
import { isIntercomError } from "../../protocol/index.ts";
import { type Identity, queryFor } from "./identity.ts";

/** Where a kept agent's executions come from. */
export interface Keeper<Place extends { readonly address: string }> {
  /** The daemon, started when that may be. */
  find(): Promise<Place>;
  /** Begins an execution. @param former the agent whose execution is over; none to begin with */
  begin(place: Place, former?: string): Promise<AgentSession>;
  /** Whether to stay away when somebody else has taken the agent over. */
  readonly givesWay: boolean;
  /** Name of the tool set, where the client's configuration says one. */
  readonly tools: string | undefined;
}

/** An agent of the front's own: there for this client, kept while it lives, retired with it. */
export class KeptAgent<Place extends { readonly address: string }> implements Identity {
  readonly #keeper: Keeper<Place>;
  #place: Place;
  #session: AgentSession;
  #renewing: Promise<boolean> | undefined;

  private constructor(keeper: Keeper<Place>, place: Place, session: AgentSession) {
    this.#keeper = keeper;
    this.#place = place;
    this.#session = session;
  }

  /** @throws {CliError} when there is no daemon and none may be started */
  static async start<Place extends { readonly address: string }>(keeper: Keeper<Place>): Promise<KeptAgent<Place>> {
    const place = await keeper.find();
    return new KeptAgent(keeper, place, await keeper.begin(place));
  }

  get address(): string {
    return this.#place.address;
  }

  get token(): string {
    return this.#session.agentToken;
  }

  get query(): string {
    return queryFor(this.#keeper.tools ?? this.#session.toolSet);
  }

  renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<boolean> {
    const place = await this.#keeper.find();
    const same = place.address === this.#place.address;
    const problem = same ? await this.#problem() : undefined;
    if (same && problem === undefined) return true;
    if (
      isIntercomError(problem, "UNAUTHENTICATED") &&
      problem.details?.reason === "replaced" &&
      this.#keeper.givesWay
    ) {
      return false;
    }
    const { agentId } = this.#session;
    await this.#session.close();
    const session = await this.#keeper.begin(place, agentId);
    // Both at once: whoever listened at the new place with the old token would be deaf as soon as that is replaced.
    this.#place = place;
    this.#session = session;
    return true;
  }

  async #problem(): Promise<unknown> {
    return this.#session.client.whoAmI().then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
