import { z } from "zod";
import { read } from "../core/assert.ts";
import { CheckFailure, type RecordedRequest } from "../core/failure.ts";
import { shorten } from "../core/shorten.ts";
import type { RpcResponse, Transport } from "./json-rpc.ts";
import type { BusTool } from "./tools.ts";

/** Old enough for every server, new enough for structured results. */
const PROTOCOL_VERSION = "2025-06-18";
const CLIENT = { name: "agent-intercom-conformance", version: "1.0" };
const MAX_PAGES = 20;

const initialized = z.looseObject({ protocolVersion: z.string(), capabilities: z.looseObject({}) });
const toolPage = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal("object") }) })),
  nextCursor: z.string().optional(),
});
const toolResult = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
});
type ToolResult = z.output<typeof toolResult>;

/** As much of an MCP client as it takes to call tools. */
export class McpClient {
  readonly #transport: Transport;
  #id = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async initialize(): Promise<void> {
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo: CLIENT };
    const { protocolVersion } = read("the answer to initialize", await this.#result("initialize", params), initialized);
    this.#transport.agreed(protocolVersion);
    await this.#transport.notify({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async listTools(): Promise<{ name: string }[]> {
    const tools: { name: string }[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const got = await this.#result("tools/list", cursor === undefined ? {} : { cursor });
      const { tools: more, nextCursor } = read("the answer to tools/list", got, toolPage);
      tools.push(...more);
      if (nextCursor === undefined) return tools;
      cursor = nextCursor;
    }
    throw new CheckFailure("The list of tools has no end", { expected: `at most ${MAX_PAGES} pages`, got: "more" });
  }

  /** Calls a tool that must succeed. @returns its structured content @throws {CheckFailure} */
  async call(name: BusTool, args: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const request = toolRequest(name, args);
    const response = await this.#send("tools/call", { name, arguments: args });
    const result = this.#toolResult(response, request);
    if (!result || result.isError) {
      const got = result ? { isError: true, text: textOf(result) } : response.error;
      throw new CheckFailure(`The tool ${name} failed`, { request, expected: "a result", got });
    }
    if (result.structuredContent) return result.structuredContent;
    throw new CheckFailure(`${name} has no structured result`, { request, expected: "structuredContent", got: result });
  }

  /** Calls a tool that must fail, as a tool error or as a protocol error. @throws {CheckFailure} when it does not */
  async callRefused(name: BusTool, args: Readonly<Record<string, unknown>>): Promise<void> {
    const request = toolRequest(name, args);
    const response = await this.#send("tools/call", { name, arguments: args });
    const result = this.#toolResult(response, request);
    if (!result || result.isError) return;
    const got = result.structuredContent ?? textOf(result);
    throw new CheckFailure(`The tool ${name} did not fail`, { request, expected: "isError: true", got });
  }

  #toolResult(response: RpcResponse, request: RecordedRequest): ToolResult | undefined {
    if (response.error) return undefined;
    const parsed = toolResult.safeParse(response.result);
    if (parsed.success) return parsed.data;
    throw new CheckFailure("The answer is no tool result", {
      request,
      expected: parsed.error.issues[0]?.message,
      got: response.result,
    });
  }

  async #result(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown> {
    const response = await this.#send(method, params);
    if (!response.error) return response.result;
    const request = { method: "MCP", path: method, body: params };
    throw new CheckFailure(`${method} failed`, { request, expected: "a result", got: response.error });
  }

  #send(method: string, params: Readonly<Record<string, unknown>>): Promise<RpcResponse> {
    this.#id += 1;
    return this.#transport.request({ jsonrpc: "2.0", id: this.#id, method, params });
  }
}

function toolRequest(name: string, args: Readonly<Record<string, unknown>>): RecordedRequest {
  return { method: "MCP", path: `tools/call ${name}`, body: shorten(args) };
}

function textOf(result: ToolResult): string {
  return result.content.map(({ text }) => text ?? "").join("\n");
}
