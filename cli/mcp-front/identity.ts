/** How the front reaches the daemon: as whom, and where. */
export interface Identity {
  readonly address: string;
  /** Token of the agent this client is. */
  readonly token: string;
  /** Names the tools the client gets, as a query; empty for those that are usual. */
  readonly query: string;
  /** Renews what has been lost; false when there is nothing that could help. */
  renew(): Promise<boolean>;
  /** Lets go of what the front has made for this client. */
  close(): Promise<void>;
}

/** The agent somebody else has registered and keeps: its token is all there is. */
export function givenIdentity(env: NodeJS.ProcessEnv, tools: string | undefined): Identity | undefined {
  const pairs = [
    [env.AGENT_INTERCOM_ADDRESS, env.AGENT_INTERCOM_AGENT_TOKEN, tools],
    // Whoever was set up for October Bus counts its fifteen tools, at every listener.
    [env.OCTOBER_BUS_ADDRESS, env.OCTOBER_BUS_AGENT_TOKEN, tools ?? "bus"],
  ] as const;
  for (const [address, token, set] of pairs) {
    if (address && token) {
      const query = queryFor(set);
      return { address: new URL(address).origin, token, query, renew: async () => false, close: async () => {} };
    }
  }
  return undefined;
}

/** How the address says which tools are wanted. */
export function queryFor(tools: string | undefined): string {
  return tools === undefined ? "" : `?tools=${tools}`;
}
