import type { ServerResponse } from "node:http";
import { ERROR_STATUS, type ErrorValue, IntercomError } from "../../protocol/index.ts";

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  // A string leaves together with the headers in one write.
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  });
  response.end(body);
}

/** The envelope of a failed call. */
export function errorEnvelope(error: ErrorValue): { ok: false; error: ErrorValue } {
  return { ok: false, error };
}

export function sendError(response: ServerResponse, error: IntercomError): void {
  const headers: Record<string, string> = {};
  if (error.code === "METHOD_NOT_ALLOWED" && Array.isArray(error.details?.allow))
    headers.Allow = error.details.allow.join(", ");
  if (error.code === "UNAUTHENTICATED") headers["WWW-Authenticate"] = "Bearer";
  if (error.details?.reason === "admission") headers["Retry-After"] = "1";
  if (error.details?.reason === "rate") headers["Retry-After"] = String(error.details.retryAfterSeconds);
  // The rest of an oversized body will not be read.
  if (error.details?.reason === "too_large" || error.details?.reason === "too_slow") headers.Connection = "close";
  sendJson(response, ERROR_STATUS[error.code], errorEnvelope(error.toValue()), headers);
}

/** What a defect looks like from outside: nothing of its inside. */
export function asCallerError(error: unknown): IntercomError {
  return error instanceof IntercomError
    ? error
    : new IntercomError("INTERNAL", "Internal error; the daemon's log has details");
}
