import { isIntercomError } from "../../protocol/index.ts";
import type { MountedRequest } from "../http/index.ts";
import type { Connections } from "./connections.ts";
import { agentGuest, type IntercomGuest } from "./guests.ts";
import type { McpServices } from "./services.ts";
import { chooseToolSet } from "./tool-sets.ts";

/**
 * Lets in who holds the token of an agent, or a connector.
 * @throws {IntercomError} UNAUTHENTICATED, or INVALID_ARGUMENT for what the address asks for
 */
export async function admitGuest(
  { engine, dialect }: Pick<McpServices, "engine" | "dialect">,
  connections: Connections,
  { credentials, query }: MountedRequest,
): Promise<IntercomGuest> {
  try {
    // Whoever may ask who it is may use tools.
    const { agentNo, agentId, scope } = await engine.checkAuthority("whoAmI", credentials);
    const identity = { scopeId: scope.id, agentId, linkPolicy: scope.linkPolicy };
    return agentGuest(agentNo, identity, credentials, chooseToolSet(query, dialect.toolSets));
  } catch (error) {
    if (!isIntercomError(error, "UNAUTHENTICATED") || error.details?.reason !== "unknown") throw error;
    const caller = await engine.checkAuthority("connect", credentials).catch((refused: unknown) => {
      // Most who are refused meant to be an agent.
      throw isIntercomError(refused, "UNAUTHENTICATED") ? error : refused;
    });
    return connections.guest(caller, credentials, chooseToolSet(query, dialect.toolSets, caller.toolSet));
  }
}
