import type { Credentials } from "../core/index.ts";
import type { Guest, Visit } from "./door/index.ts";
import type { Identity, Member } from "./member.ts";
import type { ToolSet } from "./tool.ts";

/** What a request tells of the client behind it, apart from its credential: hints, never authority. */
export interface ClientHints {
  /** The conversation the client has with its user, where it names one. It outlives sessions. */
  readonly threadId?: string | undefined;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
}

/** Somebody who may use tools. */
export interface IntercomGuest extends Guest {
  /** The tools it gets. */
  readonly toolSet: ToolSet;
  /** The agent that acts in a request. */
  memberFor(visit: Visit<IntercomGuest>, hints: ClientHints): Member;
  /** A request of it has come; what is returned is called when it has been answered. */
  arrived?(visit: Visit<IntercomGuest>): () => void;
  sessionEnded?(sessionKey: string): void;
}

/** The holder of an agent's token: that agent, whatever the connection. */
export function agentGuest(
  agentNo: number,
  identity: Identity,
  credentials: Credentials,
  toolSet: ToolSet,
): IntercomGuest {
  const member: Member = {
    credentials: async () => credentials,
    identity,
    refused: () => false,
  };
  return { key: `agent:${agentNo}`, toolSet, memberFor: () => member };
}
