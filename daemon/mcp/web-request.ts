import type { ServerResponse } from "node:http";
import type { MountedRequest } from "../http/index.ts";

/** The head of a request as the SDK reads it; the body goes its own way. The credential stays behind. */
export function toWebRequest({ request, signal }: MountedRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    if (name !== "authorization") for (const each of value ?? []) headers.append(name, each);
  }
  return new Request(`http://${request.headers.host}/mcp`, { method: request.method ?? "POST", headers, signal });
}

/** An answer to what is no MCP message at all. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}

/** Sends an answer that is complete: one JSON value, or nothing. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    "Content-Length": body.length,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // The rest of an oversized body will not be read.
    ...(answer.status === 413 ? { Connection: "close" } : {}),
  });
  response.end(body);
}
