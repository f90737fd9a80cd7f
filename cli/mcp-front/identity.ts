/** How the front reaches the daemon: as whom, and where. */
export interface Identity {
  readonly address: string;
  /** Token of the agent this client is. */
  readonly token: string;
  /** Set of tools the client counts on, where it is not the daemon's own choice. */
  readonly tools?: string;
  /** Renews what has been lost; false when there is nothing that could help. */
  renew(): Promise<boolean>;
  /** Lets go of what the front has made for this client. */
  close(): Promise<void>;
}

/** The agent somebody else has registered and keeps: its token is all there is. */
export function givenIdentity(env: NodeJS.ProcessEnv): Identity | undefined {
  const pairs = [
    [env.AGENT_INTERCOM_ADDRESS, env.AGENT_INTERCOM_AGENT_TOKEN, {}],
    // Whoever was set up for October Bus counts its fifteen tools, at every listener.
    [env.OCTOBER_BUS_ADDRESS, env.OCTOBER_BUS_AGENT_TOKEN, { tools: "bus" }],
  ] as const;
  for (const [address, token, more] of pairs) {
    if (address && token)
      return { address: new URL(address).origin, token, ...more, renew: async () => false, close: async () => {} };
  }
  return undefined;
}
