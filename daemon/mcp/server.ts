import { type ListToolsResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { runTool } from "./run-tool.ts";
import type { McpServices } from "./services.ts";
import type { ToolContext, ToolSet } from "./tool.ts";

/** How long a client may rely on a tool list: it changes with the version of the daemon only. */
const LIST_TTL_MS = 300_000;

type Listings = WeakMap<ToolSet, ListToolsResult>;
const listings: Listings = new WeakMap();
const listingsWithoutResults: Listings = new WeakMap();

function listingOf(toolSet: ToolSet, withResults: boolean): ListToolsResult {
  const known = withResults ? listings : listingsWithoutResults;
  let listing = known.get(toolSet);
  if (!listing) {
    const tools = toolSet.tools.map(({ name, description, annotations, inputSchema, outputSchema, meta }) => ({
      name,
      title: annotations.title,
      description,
      inputSchema,
      ...(withResults ? { outputSchema } : {}),
      annotations,
      ...(meta ? { _meta: meta } : {}),
    }));
    listing = { tools };
    known.set(toolSet, listing);
  }
  return listing;
}

/** An MCP server for one request. It keeps nothing: whoever calls is who the credential of this request says. */
export function createServer(
  services: McpServices,
  toolSet: ToolSet,
  contextFor: (signal: AbortSignal) => ToolContext,
): Server {
  const { dialect, serverInfo } = services;
  const { name, version } = serverInfo;
  const server = new Server(
    { name, version },
    {
      capabilities: { tools: {} },
      instructions: toolSet.instructions,
      cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" } },
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler("tools/list", () => listingOf(toolSet, dialect.resultsAsInTable));
  server.setRequestHandler("tools/call", (request, { mcpReq }) => {
    const { name: wanted, arguments: args = {} } = request.params;
    const tool = toolSet.tools.find((each) => each.name === wanted);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${JSON.stringify(wanted)}`);
    return runTool(tool, dialect.adaptArguments(tool.input, args), contextFor(mcpReq.signal), services.logger);
  });
  return server;
}

/** For answers to questions that a server asks its client. Ours asks none, and the SDK's own costs more than the rest of it. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error("nothing is validated by the SDK here");
  },
};
