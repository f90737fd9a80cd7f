import { type Connection, isIntercomError, type OperationInput, type Registration } from "../../protocol/index.ts";
import type { AgentClient, ConnectorClient, ScopeClient } from "../clients.ts";

/** Where a session gets its executions from. */
export interface ExecutionSource {
  /** What heartbeats ask for, in ms; undefined leaves it to the daemon. */
  readonly leaseMs: number | undefined;
  /** A client for the execution whose token `token` gives. */
  agent(token: () => string): AgentClient;
  /** @param agentId the agent whose execution was lost; none to begin with */
  begin(agentId?: string): Promise<Registration | Connection>;
}

/** The owner registers the agent. */
export function byRegistration(scope: ScopeClient, registration: OperationInput<"registerAgent">): ExecutionSource {
  return {
    leaseMs: registration.leaseMs,
    agent: (token) => scope.agent(token),
    begin: (agentId) =>
      agentId === undefined
        ? scope.registerAgent(registration)
        : registerAgain(scope, { ...registration, id: agentId }),
  };
}

/**
 * Registers the agent once more after its execution was lost. Its links have outlived it, so a peer of `connectTo` that
 * was removed meanwhile is no reason to stay away.
 */
async function registerAgain(scope: ScopeClient, registration: OperationInput<"registerAgent">): Promise<Registration> {
  try {
    return await scope.registerAgent(registration);
  } catch (error) {
    if (!isIntercomError(error, "NOT_FOUND") || registration.connectTo === undefined) throw error;
    const { connectTo: _, ...withoutLinks } = registration;
    return scope.registerAgent(withoutLinks);
  }
}

/** Whoever holds a connector's credential connects; as long as the session is the same, as the same agent. */
export function byConnector(connector: ConnectorClient, input: OperationInput<"connect">): ExecutionSource {
  const fixed = { session: crypto.randomUUID(), ...input };
  let leaseMs: number | undefined;
  return {
    get leaseMs() {
      return leaseMs;
    },
    agent: (token) => connector.agent(token),
    begin: async () => {
      const connection = await connector.connect(fixed);
      ({ leaseMs } = connection);
      return connection;
    },
  };
}
