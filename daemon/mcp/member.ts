import type { LinkPolicy } from "../../protocol/index.ts";
import type { Credentials } from "../core/index.ts";

/** The agent somebody acts as, as long as the connection lasts. */
export interface Member {
  /** Credentials that hold for a call made now. @throws {IntercomError} UNAUTHENTICATED when there can be none any more */
  credentials(): Promise<Credentials>;
  /** Who it is; known once `credentials` has been asked for. */
  readonly identity: Identity | undefined;
  /** The last credentials were refused. True if it is worth asking for others and calling again. */
  refused(): boolean;
}

export interface Identity {
  readonly scopeId: string;
  readonly agentId: string;
  readonly linkPolicy: LinkPolicy;
}
