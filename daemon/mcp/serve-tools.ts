import { type ListToolsResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { ClientMustAsk, inlineQuestions } from "./inline/inline.ts";
import { reportProgress } from "./progress.ts";
import { runTool } from "./run-tool.ts";
import type { Parts } from "./server.ts";
import type { ToolSet } from "./tool.ts";

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

/** Lists tools and runs them. */
export function serveTools(parts: Parts): void {
  const { server, services, toolSet, handling } = parts;
  const { dialect } = services;
  server.setRequestHandler("tools/list", () => listingOf(toolSet, dialect.resultsAsInTable));
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name: wanted, arguments: args = {} } = request.params;
    const tool = toolSet.tools.find((each) => each.name === wanted);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool ${JSON.stringify(wanted)}`);
    const stopReporting = reportProgress(context);
    try {
      const handled = handling(context);
      const inline = inlineQuestions(parts, handled);
      return await runTool(tool, dialect.adaptArguments(tool.input, args), { ...handled, inline }, services.logger);
    } catch (error) {
      if (error instanceof ClientMustAsk) return error.result;
      throw error;
    } finally {
      stopReporting();
    }
  });
}
