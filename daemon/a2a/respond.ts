import type { IncomingMessage, ServerResponse } from "node:http";
import { sendJson } from "../http/index.ts";
import type { Logger } from "../runtime/index.ts";
import { toRefusal } from "./errors.ts";

/** A2A's own media type for JSON. */
export const A2A_MEDIA_TYPE = "application/a2a+json";

/** Answers with what `work` gives, or with its failure, both in A2A's words. */
export async function answer(
  logger: Logger,
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Promise<unknown>,
): Promise<void> {
  // Clients of 0.1 take plain JSON only, newer ones ask for A2A's own type.
  const contentType = request.headers.accept?.includes(A2A_MEDIA_TYPE) ? A2A_MEDIA_TYPE : "application/json";
  try {
    sendJson(response, 200, await work(), { "Content-Type": contentType });
  } catch (error) {
    const { httpStatus, headers, body } = toRefusal(error);
    if (httpStatus >= 500) {
      const path = request.url?.split("?")[0];
      logger.error("a2a request failed", { path, error: error instanceof Error ? error.stack : String(error) });
    }
    sendJson(response, httpStatus, body, { "Content-Type": contentType, ...headers });
  }
}
