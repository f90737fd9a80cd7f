import { IntercomError, type OperationName } from "../../protocol/index.ts";
import type { Mount } from "../http/index.ts";
import type { McpServices } from "./services.ts";
import type { Serving } from "./serving.ts";
import { sendWebResponse } from "./web-request.ts";

/** Whoever may ask who it is may use tools: the holder of an agent's token. */
const IDENTITY: OperationName = "whoAmI";

/**
 * The MCP door. Identity comes from the credential of each request alone, and is checked before anything else of the
 * request is looked at.
 */
export function createMcpMount(services: McpServices): Mount {
  let serving: Promise<Serving> | undefined;
  return async (mounted) => {
    const { request, response, credentials } = mounted;
    await services.checkAuthority(IDENTITY, credentials);
    if (request.method !== "POST") throw new IntercomError("METHOD_NOT_ALLOWED", "Expected POST", { allow: ["POST"] });
    // Loaded when it is first needed: the SDK takes longer to load than the rest of the daemon to start.
    serving ??= import("./serving.ts").then(({ createServing }) => createServing(services));
    const serve = await serving;
    const answer = await serve(mounted);
    if (answer.status >= 500) services.logger.error("mcp request failed", { status: answer.status });
    await sendWebResponse(answer, response);
  };
}
