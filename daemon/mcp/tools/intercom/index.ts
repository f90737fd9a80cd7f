import type { ToolSet } from "../../tool.ts";

export const intercom: ToolSet = { name: "intercom", instructions: "", tools: [] };
