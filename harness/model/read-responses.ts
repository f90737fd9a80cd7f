import { z } from "zod";
import { content } from "./content.ts";
import type { ModelRequest, OfferedTool, Turn } from "./request.ts";

const oneTool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parameters: z.unknown().optional(),
});
const tool = oneTool.extend({ tools: z.array(oneTool).optional() });
const item = z.looseObject({
  type: z.string().default("message"),
  role: z.string().optional(),
  content: content.optional(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  output: content.optional(),
});

/** OpenAI's Responses, as far as a model needs it. */
const responsesRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  instructions: z.string().nullish(),
  input: z.union([
    z.string().transform((text) => [{ type: "message", role: "user", content: text }]),
    z.array(z.unknown()),
  ]),
  tools: z.array(tool).default([]),
});

/** Reads a request to `/v1/responses`. @throws {z.ZodError} */
export function readResponses(body: unknown): ModelRequest {
  const { model, stream, instructions, input, tools } = responsesRequest.parse(body);
  const called = new Map<string, { name: string; namespace?: string | undefined }>();
  const turns: Turn[] = instructions ? [{ role: "note", text: instructions, results: [] }] : [];
  for (const each of input) {
    const { type, role, content: text = "", call_id: callId = "", name = type, namespace, output } = item.parse(each);
    if (type === "message") turns.push({ role: roleOf(role), text, results: [] });
    else if (type.endsWith("_call_output")) {
      const result = { ...(called.get(callId) ?? { name: type }), text: output ?? "" };
      turns.push({ role: "user", text: "", results: [result] });
    } else {
      called.set(callId, { name, namespace });
      turns.push({ role: "assistant", text: "", results: [] });
    }
  }
  return { api: "responses", stream, model, turns, tools: tools.flatMap(offered) };
}

function roleOf(role: string | undefined): Turn["role"] {
  return role === "user" || role === "assistant" ? role : "note";
}

function offered({ name, type, description, parameters, tools }: z.output<typeof tool>): OfferedTool[] {
  if (tools === undefined) return [{ name: name ?? type, description, schema: parameters }];
  return tools.map((inner) => ({
    name: inner.name ?? inner.type,
    namespace: name,
    namespaceDescription: description,
    description: inner.description,
    schema: inner.parameters,
  }));
}
