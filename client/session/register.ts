import { isIntercomError, type OperationInput, type Registration } from "../../protocol/index.ts";
import type { ScopeClient } from "../clients.ts";

/**
 * Registers the agent once more after its execution was lost. Its links have outlived it, so a peer of `connectTo` that
 * was removed meanwhile is no reason to stay away.
 */
export async function registerAgain(
  scope: ScopeClient,
  registration: OperationInput<"registerAgent">,
): Promise<Registration> {
  try {
    return await scope.registerAgent(registration);
  } catch (error) {
    if (!isIntercomError(error, "NOT_FOUND") || registration.connectTo === undefined) throw error;
    const { connectTo: _, ...withoutLinks } = registration;
    return scope.registerAgent(withoutLinks);
  }
}
