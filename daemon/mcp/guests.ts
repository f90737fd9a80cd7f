import type { RequestMeta } from "@modelcontextprotocol/server";
import type { Credentials } from "../core/index.ts";
import type { Guest, Visit } from "./door/index.ts";
import type { Identity, Member } from "./member.ts";
import type { ToolSet } from "./tool.ts";

/** Somebody who may use tools. */
export interface IntercomGuest extends Guest {
  /** The tools it gets. */
  readonly toolSet: ToolSet;
  /** The agent that acts in a request. */
  memberFor(visit: Visit<IntercomGuest>, meta: RequestMeta | undefined): Member;
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
