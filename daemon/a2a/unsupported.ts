import type { Mount } from "../http/index.ts";
import { A2aError } from "./errors.ts";
import { admitClient } from "./operations.ts";
import { answer } from "./respond.ts";
import type { A2aServices } from "./services.ts";

/** Operations of A2A 1.0 (HTTP+JSON) that this interface does not have. */
const UNSUPPORTED =
  /^\/a2a\/agents\/([^/]+)\/(?:message:stream|extendedAgentCard|tasks|tasks\/[^/]+:(?:cancel|subscribe)|tasks\/[^/]+\/pushNotificationConfigs(?:\/[^/]+)?)$/;

/**
 * Who answers at a path of A2A that leads to no operation here, if it is one.
 * @param path still percent-encoded
 */
export function unsupportedMount(services: A2aServices, path: string): Mount | undefined {
  const publicationId = UNSUPPORTED.exec(path)?.[1];
  if (publicationId === undefined) return undefined;
  return ({ request, response, credentials }) =>
    answer(services.logger, request, response, async () => {
      // Ids are never encoded: one that is here is that of no publication.
      await admitClient(services, credentials, publicationId);
      throw new A2aError("UNSUPPORTED_OPERATION", "This agent takes messages and shows tasks; it does nothing else");
    });
}
