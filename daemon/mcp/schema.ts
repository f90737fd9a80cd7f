import { z } from "zod";

type Json = null | boolean | number | string | Json[] | JsonSchema;
/** A JSON Schema without references, in the few words that every MCP client understands. */
export interface JsonSchema {
  readonly [keyword: string]: Json;
}

/** An object schema, as MCP wants it for arguments and results. */
export interface ObjectSchema extends JsonSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly required?: string[];
}

/**
 * Keywords that are passed on. Lengths and patterns are left out: model providers disagree on them, and the daemon checks
 * them anyway, with better messages.
 */
const COMMON = ["type", "description", "enum", "properties", "required", "items"];
const KEPT = {
  input: new Set([...COMMON, "additionalProperties", "minimum", "maximum"]),
  output: new Set([...COMMON, "anyOf"]),
};

type Side = keyof typeof KEPT;

/** Turns a schema of ours into one that portable clients take: no references, no exotic keywords. */
export function portableSchema(schema: z.ZodObject, side: Side): ObjectSchema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: side }) as JsonSchema & { $defs?: Definitions };
  return simplify(root, $defs, side) as ObjectSchema;
}

/** A result's schema. A failed call has `error` in the place of everything else, so no field can be required. */
export function resultSchema(schema: z.ZodObject): ObjectSchema {
  const { required: _, ...root } = portableSchema(schema, "output");
  return { ...root, type: "object", properties: { ...root.properties, error: ERROR_SCHEMA } };
}

const ERROR_SCHEMA: JsonSchema = {
  type: "object",
  description: "Why the call failed; then there is nothing else.",
  properties: { code: { type: "string" }, message: { type: "string" }, details: { type: "object" } },
  required: ["code", "message"],
};

type Definitions = Readonly<Record<string, JsonSchema>>;

function simplify(schema: JsonSchema, definitions: Definitions, side: Side): JsonSchema {
  if (typeof schema.$ref === "string") {
    const { $ref, ...beside } = schema;
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    // What a definition says of itself is said once in the reference; here it would be said at every place it is used.
    const { description: _, ...definition } = definitions[name] ?? {};
    return simplify({ ...definition, ...beside }, definitions, side);
  }
  const visit = (value: Json) => simplify(value as JsonSchema, definitions, side);
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (keyword === "const") return ["enum", [value]];
    if (keyword === "items") return [keyword, visit(value)];
    if (keyword === "anyOf") return [keyword, (value as Json[]).map(visit)];
    if (keyword !== "properties") return [keyword, value];
    const fields = Object.entries(value as JsonSchema).map(([name, field]) => [name, visit(field)]);
    return [keyword, Object.fromEntries(fields) as JsonSchema];
  });
  return Object.fromEntries(entries.filter(([keyword]) => KEPT[side].has(keyword)));
}
