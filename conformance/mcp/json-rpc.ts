import { z } from "zod";

export interface RpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
}

/** An answer to a request. */
export const rpcResponse = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string()]),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type RpcResponse = z.output<typeof rpcResponse>;

/** Carries JSON-RPC messages to an MCP server and its answers back. */
export interface Transport {
  /** @throws {CheckFailure} when no answer comes */
  request(message: RpcRequest): Promise<RpcResponse>;
  notify(message: RpcNotification): Promise<void>;
  /** Told once both sides have agreed on a version. */
  agreed(protocolVersion: string): void;
}
