import { CheckFailure } from "../core/failure.ts";
import type { HttpClient } from "../http/client.ts";
import { readSse } from "../http/sse.ts";
import { type RpcNotification, type RpcRequest, type RpcResponse, rpcResponse, type Transport } from "./json-rpc.ts";

/** MCP over Streamable HTTP: one POST for each message, answered with JSON or with a stream of events. No stream of its own. */
export class StreamableHttp implements Transport {
  readonly #http: HttpClient;
  readonly #path: string;
  readonly #token: string | undefined;
  #version: string | undefined;
  #session: string | undefined;

  constructor(http: HttpClient, path: string, token: string | undefined) {
    this.#http = http;
    this.#path = path;
    this.#token = token;
  }

  agreed(protocolVersion: string): void {
    this.#version = protocolVersion;
  }

  async request(message: RpcRequest): Promise<RpcResponse> {
    const response = await this.#post(message);
    const request = { method: "POST", path: this.#path, body: message };
    const type = response.headers.get("content-type") ?? "";
    this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
    for await (const candidate of this.#messages(response, type)) {
      const parsed = rpcResponse.safeParse(candidate);
      if (parsed.success && parsed.data.id === message.id) return parsed.data;
      if (!type.startsWith("text/event-stream")) {
        const got = { status: response.status, contentType: type, body: candidate };
        throw new CheckFailure("The answer is no JSON-RPC response", { request, expected: { id: message.id }, got });
      }
    }
    throw new CheckFailure("The stream ended without the answer", { request, expected: { id: message.id }, got: type });
  }

  async notify(message: RpcNotification): Promise<void> {
    const response = await this.#post(message);
    await response.body?.cancel();
    if (response.ok) return;
    const request = { method: "POST", path: this.#path, body: message };
    throw new CheckFailure("The notification was refused", { request, expected: "202", got: response.status });
  }

  async *#messages(response: Response, type: string): AsyncGenerator<unknown> {
    if (type.startsWith("text/event-stream")) {
      for await (const { data } of readSse(response)) yield parse(data);
    } else yield parse(await response.text());
  }

  #post(message: RpcRequest | RpcNotification): Promise<Response> {
    const request = this.#http.note("POST", this.#path, message);
    return this.#http.open(request, message, {
      token: this.#token,
      headers: {
        Accept: "application/json, text/event-stream",
        ...(this.#version === undefined ? {} : { "MCP-Protocol-Version": this.#version }),
        ...(this.#session === undefined ? {} : { "Mcp-Session-Id": this.#session }),
      },
    });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
