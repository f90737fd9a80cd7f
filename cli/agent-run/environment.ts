import type { Registration } from "../../protocol/index.ts";

/** Variables that hold the owner's credentials, here and in October Bus 0.1. An agent must not have them. */
const OWNER_VARIABLES = new Set([
  "AGENT_INTERCOM_ADMIN_TOKEN",
  "AGENT_INTERCOM_SCOPE_TOKEN",
  "OCTOBER_BUS_ADMIN_TOKEN",
  "OCTOBER_BUS_SCOPE_TOKEN",
]);

export interface AgentEnvironment {
  readonly address: string;
  /** Where the daemon listens for programs made for October Bus 0.1; the same address when it has no listener for them. */
  readonly octoberBusAddress?: string | undefined;
  readonly registration: Registration;
  /** Values that must not reach the child under any name. */
  readonly secrets: readonly string[];
}

/** The environment of an agent's program: the caller's, without the owner's credentials, with the agent's own. */
export function childEnvironment(
  parent: NodeJS.ProcessEnv,
  { address, octoberBusAddress = address, registration, secrets }: AgentEnvironment,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(parent)) {
    // Names of variables do not differ by case on Windows.
    if (value === undefined || OWNER_VARIABLES.has(name.toUpperCase())) continue;
    if (secrets.some((secret) => secret !== "" && value.includes(secret))) continue;
    env[name] = value;
  }
  const { scopeId, agentId, executionId, agentToken } = registration;
  return {
    ...env,
    AGENT_INTERCOM_ADDRESS: address,
    AGENT_INTERCOM_SCOPE: scopeId,
    AGENT_INTERCOM_AGENT_ID: agentId,
    AGENT_INTERCOM_EXECUTION_ID: executionId,
    AGENT_INTERCOM_AGENT_TOKEN: agentToken,
    // The same for tools made for October Bus 0.1.
    OCTOBER_BUS_ADDRESS: octoberBusAddress,
    OCTOBER_BUS_AGENT_ID: agentId,
    OCTOBER_BUS_EXECUTION_ID: executionId,
    OCTOBER_BUS_AGENT_TOKEN: agentToken,
  };
}
