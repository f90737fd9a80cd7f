import { randomUUID } from "node:crypto";
import { AgentSession } from "../../client/index.ts";
import type { AgentMetadata } from "../../protocol/index.ts";
import type { ProfileStore } from "../connector/profiles.ts";
import { type DaemonOptions, requireDaemon } from "../daemon-process/require-daemon.ts";
import type { Keeper } from "./kept-agent.ts";

export interface ConnectedAgentOptions extends DaemonOptions {
  readonly profiles: ProfileStore;
  readonly profile: string;
  readonly metadata: AgentMetadata;
  readonly tools: string | undefined;
}

/** Becomes an agent by the connector whose credential a profile holds; a session that is resumed, the one it was. */
export function connectedAgent(options: ConnectedAgentOptions): Keeper<{ readonly address: string }> {
  const { profiles, profile, metadata } = options;
  const session = metadata.sessionId ?? randomUUID();
  return {
    find: async () => {
      const { address } = profiles.get(profile);
      return address === undefined ? requireDaemon(options) : { address };
    },
    // Read each time: the credential may have been rotated while this client ran.
    begin: ({ address }) =>
      AgentSession.connect({
        address: new URL(address).origin,
        connectorToken: profiles.get(profile).token,
        connection: { session, metadata },
        initialLifecycle: "working",
        initialReady: false,
      }),
    givesWay: true,
    tools: options.tools,
  };
}
