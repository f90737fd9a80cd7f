import type { z } from "zod";
import { type Tool, type ToolDefinition, tool } from "../../tool.ts";

/** What to do next, as far as a tool knows. */
export const NEXT = "What to do next.";

/** A tool of a set made for models: it reads arguments as they were meant. */
export function forgivingTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Omit<ToolDefinition<Input, Output>, "forgiving">,
): Tool {
  return tool({ ...definition, forgiving: true });
}
