import type { Engine } from "../engine/index.ts";
import type { MountedRequest } from "../http/index.ts";
import { agentGuest, type IntercomGuest } from "./guests.ts";
import { chooseToolSet } from "./tool-sets.ts";

/** Lets in who holds the credential of an agent. @throws {IntercomError} UNAUTHENTICATED, or INVALID_ARGUMENT for what the address asks for */
export async function admitGuest(engine: Engine, { credentials, query }: MountedRequest): Promise<IntercomGuest> {
  // Whoever may ask who it is may use tools.
  const caller = await engine.checkAuthority("whoAmI", credentials);
  const { agentNo, agentId, scope } = caller;
  return agentGuest(
    agentNo,
    { scopeId: scope.id, agentId, linkPolicy: scope.linkPolicy },
    credentials,
    chooseToolSet(query),
  );
}
