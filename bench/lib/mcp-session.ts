import { get, type IncomingMessage } from "node:http";

/** A session of 2025-11-25 in which a client listens. */
export interface McpSession {
  subscribe(uri: string): Promise<void>;
  close(): void;
}

/** Opens a session and listens in it, as clients do. */
export async function openMcpSession(address: string, token: string): Promise<McpSession> {
  const url = `${address}/mcp`;
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const post = async (method: string, params: object): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const response = await fetch(url, { method: "POST", headers, body });
    const text = await response.text();
    if (response.status !== 200 || text.includes('"error"')) throw new Error(`${method}: ${response.status} ${text}`);
    return response;
  };
  const clientInfo = { name: "bench", version: "1" };
  const opened = await post("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  headers["Mcp-Session-Id"] = opened.headers.get("mcp-session-id") ?? "";
  const stream = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once("error", reject);
  });
  if (stream.statusCode !== 200) throw new Error(`listening: ${stream.statusCode}`);
  stream.resume();
  return {
    subscribe: async (uri) => void (await post("resources/subscribe", { uri })),
    close: () => stream.destroy(),
  };
}
