import type { MountedRequest } from "../../http/index.ts";

export const SESSION_HEADER = "mcp-session-id";

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
