import { describe, expect, it } from "vitest";
import { z } from "zod";
import { IntercomError } from "../../protocol/index.ts";
import { silentLogger } from "../runtime/index.ts";
import { runTool } from "./run-tool.ts";
import { ShownMessages } from "./shown-messages.ts";
import { type ToolContext, tool } from "./tool.ts";

const context: ToolContext = {
  signal: new AbortController().signal,
  shown: new ShownMessages(),
  call: () => Promise.reject(new Error("not needed here")),
};

function toolThatThrows(error: unknown) {
  return tool({
    name: "break",
    title: "Break",
    description: "Fails as it is told.",
    input: z.strictObject({}),
    output: z.object({}),
    next: { CONFLICT: "Look first." },
    run: () => Promise.reject(error),
  });
}

describe("runTool", () => {
  it("adds the next step to the sentence", async () => {
    const result = await runTool(toolThatThrows(new IntercomError("CONFLICT", "Taken")), {}, context, silentLogger);
    expect(result).toEqual({
      isError: true,
      content: [{ type: "text", text: "CONFLICT: Taken. Look first." }],
      structuredContent: { error: { code: "CONFLICT", message: "Taken" } },
    });
  });

  it("shows nothing of a defect but logs it", async () => {
    const logged: unknown[] = [];
    const logger = { ...silentLogger, error: (_: string, fields?: Record<string, unknown>) => logged.push(fields) };
    const result = await runTool(toolThatThrows(new TypeError("secret path")), {}, context, logger);
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: "INTERNAL" } } });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(logged).toEqual([{ tool: "break", error: expect.stringContaining("secret path") }]);
  });
});
