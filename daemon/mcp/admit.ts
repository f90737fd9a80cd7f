import type { MountedRequest } from "../http/index.ts";
import type { Admissions } from "./admissions.ts";
import type { Connections } from "./connections.ts";
import { agentGuest, type IntercomGuest } from "./guests.ts";
import type { McpServices } from "./services.ts";
import { chooseToolSet } from "./tool-sets.ts";

/**
 * Lets in who holds the token of an agent, or a connector.
 * @throws {IntercomError} UNAUTHENTICATED, or INVALID_ARGUMENT for what the address asks for
 */
export async function admitGuest(
  { dialect }: Pick<McpServices, "dialect">,
  admissions: Admissions,
  connections: Connections,
  { credentials, query }: MountedRequest,
): Promise<IntercomGuest> {
  const party = await admissions.admit(credentials);
  if (party.kind === "connector") {
    return connections.guest(party, credentials, chooseToolSet(query, dialect.toolSets, party.toolSet));
  }
  const { agentNo, agentId, scope } = party;
  const identity = { scopeId: scope.id, agentId, linkPolicy: scope.linkPolicy };
  return agentGuest(agentNo, identity, credentials, chooseToolSet(query, dialect.toolSets));
}
