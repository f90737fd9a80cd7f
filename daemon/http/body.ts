import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { IntercomError, LIMITS } from "../../protocol/index.ts";

function tooLarge(): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", "Request body exceeds 1 MiB", { reason: "too_large" });
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
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  if (!isUtf8(bytes)) throw new IntercomError("INVALID_ARGUMENT", "The body is not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new IntercomError("INVALID_ARGUMENT", "The body is not one JSON value");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new IntercomError("INVALID_ARGUMENT", "The body: expected a JSON object");
  }
  return value as Record<string, unknown>;
}

/** A page in a browser cannot send this type to another origin without being asked first. */
function requireJson(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new IntercomError("INVALID_ARGUMENT", "Content-Type: expected application/json");
  }
}

function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > LIMITS.bodyBytes) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > LIMITS.bodyBytes) {
        request.removeAllListeners("data");
        reject(tooLarge());
        return;
      }
      chunks.push(chunk);
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // The caller hung up: nobody's defect, so it must not look like one in the log.
    const endedEarly = () => reject(new IntercomError("INVALID_ARGUMENT", "The body ended early"));
    request.on("error", endedEarly);
    request.on("close", () => {
      if (!request.complete) endedEarly();
    });
  });
}
