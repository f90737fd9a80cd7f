import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { isIntercomError, type OperationResult, operationOf, parseInput } from "../../protocol/index.ts";
import { type MountedRequest, readJson } from "../http/index.ts";
import { createServer } from "./server.ts";
import type { McpServices } from "./services.ts";
import { ShownMessages } from "./shown-messages.ts";
import type { ToolContext } from "./tool.ts";
import { chooseToolSet } from "./tool-sets.ts";
import { refusal, toWebRequest } from "./web-request.ts";

export type Serving = (mounted: MountedRequest) => Promise<Response>;

/** Answers MCP requests of both eras, each with a server of its own and one plain JSON answer. */
export function createServing(services: McpServices): Serving {
  const { dialect } = services;
  const servers = new WeakMap<Request, Server>();
  const shown = new ShownMessages();
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const server = requestInfo && servers.get(requestInfo);
      if (!server) throw new Error("the SDK asked for the server of a request that is not being answered");
      return server;
    },
    // Nothing is ever announced, so nobody needs to hold a stream open for it.
    { legacy: "reject", maxSubscriptions: 0 },
  );

  function contextFor(mounted: MountedRequest): (signal: AbortSignal) => ToolContext {
    return (signal) => ({
      signal,
      shown,
      call: async (name, input) => {
        const parsed = parseInput(operationOf(name).input, dialect.adaptInput(name, input));
        const call = {
          credentials: mounted.credentials,
          input: parsed,
          signal,
          sharedQuestions: dialect.sharedQuestions,
        };
        const result = dialect.adaptResult(name, await services.perform(name, call));
        return result as OperationResult<typeof name>;
      },
    });
  }

  return async (mounted) => {
    const toolSet = chooseToolSet(mounted.query, dialect.toolSets);
    if (!isJsonContentType(mounted.request.headers["content-type"])) {
      return refusal(415, -32000, "Content-Type: expected application/json");
    }
    let body: unknown;
    try {
      body = await readJson(mounted.request);
    } catch (error) {
      if (!isIntercomError(error, "INVALID_ARGUMENT")) throw error;
      return error.details?.reason === "too_large"
        ? refusal(413, -32000, error.message)
        : refusal(400, -32700, error.message);
    }
    if (body === undefined) return refusal(400, -32700, "The body is empty; expected a JSON-RPC message");
    const request = toWebRequest(mounted);
    const server = createServer(services, toolSet, contextFor(mounted));
    if (await isLegacyRequest(request, body)) return answerLegacy(server, request, body);
    servers.set(request, server);
    return modern.fetch(request, { parsedBody: body });
  };
}

/** Versions before 2026-07-28, without a session. */
async function answerLegacy(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const { promise: gone, resolve } = Promise.withResolvers<Response>();
  const onAbort = () => {
    // Aborts the tools that are running. The transport itself never learns that the caller is gone.
    void server.close();
    resolve(new Response(null, { status: 499 }));
  };
  request.signal.addEventListener("abort", onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone]);
  } finally {
    request.signal.removeEventListener("abort", onAbort);
    await server.close();
  }
}
