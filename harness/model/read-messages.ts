import { z } from "zod";
import { content } from "./content.ts";
import type { ModelRequest, Turn } from "./request.ts";

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  tool_use_id: z.string().optional(),
  content: content.optional().catch(undefined),
});
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string().transform((text) => [block.parse({ type: "text", text })]), z.array(block)]),
});

/** Anthropic's Messages, as far as a model needs it. */
const messagesRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  system: content.optional(),
  messages: z.array(message),
  tools: z
    .array(
      z.looseObject({ name: z.string(), description: z.string().optional(), input_schema: z.unknown().optional() }),
    )
    .default([]),
});

/** Reads a request to `/v1/messages`. @throws {z.ZodError} */
export function readMessages(body: unknown): ModelRequest {
  const { model, stream, system, messages, tools } = messagesRequest.parse(body);
  const called = new Map<string, string>();
  const turns: Turn[] = system ? [{ role: "note", text: system, results: [] }] : [];
  for (const { role, content: blocks } of messages) {
    for (const { type, id = "", name = "" } of blocks) if (type === "tool_use") called.set(id, name);
    turns.push({
      role: role === "user" || role === "assistant" ? role : "note",
      text: blocks.flatMap(({ type, text }) => (type === "text" && text !== undefined ? [text] : [])).join("\n"),
      results: blocks.flatMap(({ type, tool_use_id: id = "", content: text = "" }) =>
        type === "tool_result" ? [{ name: called.get(id) ?? "", text }] : [],
      ),
    });
  }
  return {
    api: "messages",
    stream,
    model,
    turns,
    tools: tools.map(({ name, description, input_schema: schema }) => ({ name, description, schema })),
  };
}
