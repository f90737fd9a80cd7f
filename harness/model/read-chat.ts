import { z } from "zod";
import { content } from "./content.ts";
import type { ModelRequest, Turn } from "./request.ts";

const message = z.looseObject({
  role: z.string(),
  content: content.optional(),
  tool_call_id: z.string().optional(),
  tool_calls: z.array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) })).default([]),
});

/** OpenAI's chat completions, as far as a model needs it. */
const chatRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(message),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({
          name: z.string(),
          description: z.string().optional(),
          parameters: z.unknown().optional(),
        }),
      }),
    )
    .default([]),
});

/** Reads a request to `/v1/chat/completions`. @throws {z.ZodError} */
export function readChat(body: unknown): ModelRequest {
  const { model, stream, messages, tools } = chatRequest.parse(body);
  const called = new Map<string, string>();
  const turns = messages.map(({ role, content: text = "", tool_call_id: callId = "", tool_calls: calls }): Turn => {
    for (const {
      id,
      function: { name },
    } of calls)
      called.set(id, name);
    if (role === "tool") return { role: "user", text: "", results: [{ name: called.get(callId) ?? "", text }] };
    return { role: role === "user" || role === "assistant" ? role : "note", text, results: [] };
  });
  return {
    api: "chat",
    stream,
    model,
    turns,
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, schema: parameters })),
  };
}
