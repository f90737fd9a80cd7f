import type { CallToolResult } from "@modelcontextprotocol/server";
import { IntercomError } from "../../protocol/index.ts";
import { asCallerError } from "../http/index.ts";
import type { Logger } from "../runtime/index.ts";
import { nextStep } from "./next-step.ts";
import { clip, jsonLength } from "./result-room.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** Runs a tool. Whatever goes wrong in it is a result that the model can read, never an error of the protocol. */
export async function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
  logger: Logger,
): Promise<CallToolResult> {
  try {
    const result = await tool.run(tool.read(args), context);
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    if (!(error instanceof IntercomError) || error.code === "INTERNAL") {
      logger.error("tool failed", { tool: tool.name, error: String(error instanceof Error ? error.stack : error) });
    }
    return failure(tool, asCallerError(error));
  }
}

/** Most of what an error may repeat of what a model sent, characters of JSON. */
const MESSAGE_ROOM = 2000;
const DETAILS_ROOM = 4000;

function failure(tool: Tool, { code, message: whole, details }: IntercomError): CallToolResult {
  const message = clip(whole, MESSAGE_ROOM);
  const error = { code, message, ...(details && jsonLength(details) <= DETAILS_ROOM ? { details } : {}) };
  const next = nextStep(error, tool.next);
  const text = `${code}: ${message}${/[.!?]$/.test(message) ? "" : "."}${next === undefined ? "" : ` ${next}`}`;
  return { isError: true, content: [{ type: "text", text }], structuredContent: { error } };
}
