import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { type Answer, exchange } from "./http.ts";

/** What a tool answered. */
export interface ToolAnswer {
  readonly text: string;
  readonly structured: Record<string, unknown>;
  readonly isError: boolean;
}

/** A tool as a client sees it in the list. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

/** A connected MCP client of whatever make. Listing tools makes it check what they answer afterwards. */
export interface McpClient {
  readonly protocolVersion: string | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  readonly instructions: string | undefined;
  tools(): Promise<ListedTool[]>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolAnswer>;
  close(): Promise<void>;
}

type Connect = (address: string, token: string, query?: string) => Promise<McpClient>;

const CLIENT_INFO = { name: "test", version: "1.0.0" };

interface CallResult {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

function toAnswer(result: CallResult): ToolAnswer {
  const [item, ...more] = result.content as { type: string; text: string }[];
  if (item?.type !== "text" || more.length > 0) throw new Error(`Not one text: ${JSON.stringify(result.content)}`);
  const structured = result.structuredContent as Record<string, unknown>;
  return { text: item.text, structured, isError: result.isError === true };
}

function connectV2(versionNegotiation: { mode: "legacy" | "auto" | { pin: string } }): Connect {
  return async (address, token, query = "") => {
    const client = new Client(CLIENT_INFO, { versionNegotiation });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp${query}`), { requestInit }));
    return {
      protocolVersion: client.getNegotiatedProtocolVersion(),
      serverInfo: client.getServerVersion(),
      instructions: client.getInstructions(),
      tools: async () => (await client.listTools()).tools as ListedTool[],
      call: async (name, args = {}, signal) =>
        toAnswer(await client.callTool({ name, arguments: args }, signal ? { signal } : {})),
      close: () => client.close(),
    };
  };
}

const connectV1: Connect = async (address, token, query = "") => {
  const client = new ClientV1(CLIENT_INFO);
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new TransportV1(new URL(`${address}/mcp${query}`), { requestInit });
  // Its declarations were not made for exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    protocolVersion: transport.protocolVersion,
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args = {}, signal) =>
      toAnswer((await client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {})) as CallResult),
    close: () => client.close(),
  };
};

/** Real clients of both eras, with the protocol version each ends up with. */
export const MCP_CLIENTS: readonly { readonly make: string; readonly version: string; readonly connect: Connect }[] = [
  { make: "SDK 2, modern", version: "2026-07-28", connect: connectV2({ mode: { pin: "2026-07-28" } }) },
  { make: "SDK 2, negotiating", version: "2026-07-28", connect: connectV2({ mode: "auto" }) },
  { make: "SDK 2, legacy", version: "2025-11-25", connect: connectV2({ mode: "legacy" }) },
  { make: "SDK 1", version: "2025-11-25", connect: connectV1 },
];

export type Era = "2025-11-25" | "2026-07-28";
export const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

export interface RpcOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly signal?: AbortSignal;
}

/** The head and body of a request as a client of an era would send it. */
export function rpcRequest(era: Era, method: string, params: Record<string, unknown> = {}) {
  const headers: Record<string, string> = {
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": era,
  };
  if (era === "2025-11-25") return { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) };
  headers["Mcp-Method"] = method;
  if (typeof params.name === "string") headers["Mcp-Name"] = params.name;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
  };
  return { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }) };
}

/** Sends one message to `/mcp` without any client in between. */
export async function rpc(
  address: string,
  era: Era,
  method: string,
  params: Record<string, unknown>,
  { token, headers = {}, query = "", signal }: RpcOptions,
): Promise<Answer> {
  const request = rpcRequest(era, method, params);
  return exchange(
    address,
    { method: "POST", path: `/mcp${query}`, body: request.body },
    { token, headers: { ...request.headers, ...headers }, signal },
  );
}

/** Calls a tool without any client in between. */
export async function callTool(
  address: string,
  era: Era,
  name: string,
  args: Record<string, unknown>,
  options: RpcOptions,
): Promise<ToolAnswer> {
  const answer = await rpc(address, era, "tools/call", { name, arguments: args }, options);
  const { result } = answer.body as { result?: CallResult };
  if (!result) throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return toAnswer(result);
}
