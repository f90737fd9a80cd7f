import { AgentSession } from "../../../client/index.ts";
import type { Stage } from "./stage.ts";

/** Where the credential comes from that a program uses over HTTP. */
export interface TokenSource {
  /** Credential with which the program is the agent of this id. */
  tokenFor(agentId: string): Promise<string>;
  close(): Promise<void>;
}

const LEASE_MS = 600_000;

/** Tokens of agents that are registered here and kept alive until the end, as `agent run` does. */
export function agentTokens(stage: Stage): TokenSource {
  const sessions = new Map<string, AgentSession>();
  return {
    async tokenFor(agentId) {
      const known = sessions.get(agentId);
      const session =
        known ??
        (await AgentSession.start({
          scope: stage.scope,
          registration: { id: agentId, displayName: agentId, leaseMs: LEASE_MS },
          initialReady: false,
        }));
      sessions.set(agentId, session);
      return session.agentToken;
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}
