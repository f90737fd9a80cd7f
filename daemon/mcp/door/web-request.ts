import type { MountedRequest } from "../../http/index.ts";

export const SESSION_HEADER = "mcp-session-id";

/**
 * The head of a request as the SDK reads it; the body goes its own way, and the credential stays behind. Not a whole
 * Request: making one that can be aborted takes as long as all that the daemon does to answer a simple call.
 */
export function toWebRequest({ request, signal }: MountedRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name === "authorization" || value === undefined) continue;
    headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  const head: Pick<Request, "method" | "url" | "headers" | "signal"> = {
    method: request.method ?? "POST",
    url: `http://${request.headers.host}/mcp`,
    headers,
    signal,
  };
  return head as Request;
}

/** An answer to what is no MCP message at all. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status });
}
