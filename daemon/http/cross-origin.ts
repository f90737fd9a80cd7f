import type { IncomingMessage, ServerResponse } from "node:http";
import { IDEMPOTENCY_HEADER, type Operation } from "../../protocol/index.ts";
import { foreignOrigin, originRefused } from "./guards.ts";

/**
 * Lets pages of other origins call what the table opens to them, and nobody else.
 * @param listed origins the daemon's settings name, compared exactly
 * @throws {IntercomError} PERMISSION_DENIED
 */
export function admitOrigin(
  op: Pick<Operation, "origins"> | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  listed: readonly string[],
): void {
  if (op?.origins) response.setHeader("Vary", "Origin");
  const origin = foreignOrigin(request);
  if (op?.origins === "any") {
    response.setHeader("Access-Control-Allow-Origin", "*");
    return;
  }
  if (origin === undefined) return;
  if (op?.origins !== "listed" || !listed.includes(origin)) throw originRefused();
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", "Retry-After");
}

/** Answers what a browser asks before it lets a page make the call itself. */
export function answerPreflight(methods: readonly string[], response: ServerResponse): void {
  response.setHeader("Allow", [...methods, "OPTIONS"].join(", "));
  response.setHeader("Access-Control-Allow-Methods", [...methods, "OPTIONS"].join(", "));
  response.setHeader("Access-Control-Allow-Headers", `Authorization, Content-Type, ${IDEMPOTENCY_HEADER}`);
  response.writeHead(204, { "Cache-Control": "no-store" });
  response.end();
}
