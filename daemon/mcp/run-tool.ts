import type { CallToolResult } from "@modelcontextprotocol/server";
import { IntercomError, parseInput } from "../../protocol/index.ts";
import { asCallerError } from "../http/index.ts";
import type { Logger } from "../runtime/index.ts";
import { reviveJsonText } from "./arguments.ts";
import { nextStep } from "./next-step.ts";
import type { Tool, ToolContext } from "./tool.ts";

/** Runs a tool. Whatever goes wrong in it is a result that the model can read, never an error of the protocol. */
export async function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: ToolContext,
  logger: Logger,
): Promise<CallToolResult> {
  try {
    const input = parseInput(tool.input, reviveJsonText(args, tool.inputSchema));
    const result = await tool.run(input, context);
    return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
  } catch (error) {
    if (!(error instanceof IntercomError) || error.code === "INTERNAL") {
      logger.error("tool failed", { tool: tool.name, error: String(error instanceof Error ? error.stack : error) });
    }
    return failure(tool, asCallerError(error));
  }
}

function failure(tool: Tool, { code, message, details }: IntercomError): CallToolResult {
  const error = { code, message, ...(details ? { details } : {}) };
  const next = nextStep(error, tool.next);
  const text = `${code}: ${message}${/[.!?]$/.test(message) ? "" : "."}${next === undefined ? "" : ` ${next}`}`;
  return { isError: true, content: [{ type: "text", text }], structuredContent: { error } };
}
