import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { IntercomError, LIMITS } from "../../protocol/index.ts";

function tooLarge(): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", "Request body exceeds 1 MiB", { reason: "too_large" });
}

/** The caller hung up: nobody's defect, so it must not look like one in the log. */
function endedEarly(): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", "The body ended early");
}

/** How long a body that is read as one may take to arrive, ms. */
const BODY_TIMEOUT_MS = 30_000;

function tooSlow(): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", `The body took longer than ${BODY_TIMEOUT_MS / 1000} seconds`, {
    reason: "too_slow",
  });
}

/** Whether the request says that it carries a body. */
export function hasBody(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (length !== undefined && length !== "0") || request.headers["transfer-encoding"] !== undefined;
}

/**
 * Reads exactly one JSON object; no body counts as `{}`.
 * @throws {IntercomError} INVALID_ARGUMENT when it is too large, not UTF-8, not JSON or not an object
 */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  requireJson(request);
  const value = await readJson(request);
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new IntercomError("INVALID_ARGUMENT", "The body: expected a JSON object");
  }
  return value as Record<string, unknown>;
}

/**
 * Reads one JSON value of whatever kind; undefined when there is none.
 * @throws {IntercomError} INVALID_ARGUMENT when it is too large, not UTF-8 or not JSON
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new IntercomError("INVALID_ARGUMENT", "The body is not UTF-8");
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new IntercomError("INVALID_ARGUMENT", "The body is not one JSON value");
  }
}

/** A page in a browser cannot send this type to another origin without being asked first. */
export function requireJson(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new IntercomError("INVALID_ARGUMENT", "Content-Type: expected application/json");
  }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > LIMITS.bodyBytes) throw tooLarge();
  // Gone before anybody listened: nothing more would be heard of it.
  if (request.destroyed && !request.complete) throw endedEarly();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: IntercomError) => {
      clearTimeout(timer);
      request.removeAllListeners("data");
      reject(error);
    };
    const timer = setTimeout(() => refuse(tooSlow()), BODY_TIMEOUT_MS);
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > LIMITS.bodyBytes) refuse(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => {
      clearTimeout(timer);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on("error", () => refuse(endedEarly()));
    request.on("close", () => {
      if (!request.complete) refuse(endedEarly());
    });
  });
}
