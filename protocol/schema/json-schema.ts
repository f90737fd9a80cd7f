import { z } from "zod";
import { type OperationName, operationNames, operationOf } from "../operations/index.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** A JSON Schema 2020-12 object. References to shared definitions read `#/$defs/Name`. */
export type JsonSchema = { readonly [key: string]: Json };

/**
 * Every schema of the operation table.
 *
 * Inputs are closed: a daemon refuses unknown fields. Results are open: a client must tolerate fields added later.
 * A definition both sides share and that differs in this has its closed form under `NameInput`.
 * `x-maxBytes` is the UTF-8 limit of a text; `maxLength` is the best JSON Schema can say of it.
 */
export interface SchemaSet {
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly inputs: Readonly<Record<OperationName, JsonSchema>>;
  readonly results: Readonly<Record<OperationName, JsonSchema>>;
}

interface Converted {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

const DEFS = "#/$defs/";

/** Compiles the operation table. */
export function compileSchemas(): SchemaSet {
  const results = convertAll("result");
  const inputs = convertAll("input");
  const differs = (name: string) =>
    name in results.definitions &&
    JSON.stringify(results.definitions[name]) !== JSON.stringify(inputs.definitions[name]);
  const inputName = (name: string) => (differs(name) ? `${name}Input` : name);
  const renamed = (schema: JsonSchema) => mapReferences(schema, (name) => DEFS + inputName(name));
  const definitions: Record<string, JsonSchema> = { ...results.definitions };
  for (const [name, schema] of Object.entries(inputs.definitions)) definitions[inputName(name)] = renamed(schema);
  return {
    definitions: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
    inputs: byOperation((name) => renamed(inputs.schemas[name])),
    results: byOperation((name) => results.schemas[name]),
  };
}

/** Copies a schema with every reference to a shared definition replaced. */
export function mapReferences(schema: JsonSchema, to: (name: string) => string): JsonSchema {
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === "$ref" && typeof inner === "string" && inner.startsWith(DEFS)
          ? to(inner.slice(DEFS.length))
          : visit(inner),
      ]),
    );
  };
  return visit(schema) as JsonSchema;
}

/** Name of the shared definition a schema refers to, if it is a reference. */
export function referenceOf(schema: JsonSchema): string | undefined {
  return typeof schema.$ref === "string" ? schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1) : undefined;
}

/** Fields of an object schema. */
export function fieldsOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>;
}

/** Names of the fields an object schema insists on. */
export function requiredOf(schema: JsonSchema): readonly string[] {
  return (schema.required ?? []) as string[];
}

function convertAll(side: "input" | "result") {
  const definitions: Record<string, JsonSchema> = {};
  const schemas = byOperation((name) => {
    const op = operationOf(name);
    const converted = convert(op[side], side);
    Object.assign(definitions, converted.definitions);
    for (const signal of side === "result" ? Object.values(op.signals ?? {}) : []) {
      Object.assign(definitions, convert(signal, side).definitions);
    }
    return converted.schema;
  });
  return { schemas, definitions };
}

/** Converts one schema. Whatever in it has a name becomes a definition it refers to. */
export function convert(schema: z.ZodType, side: "input" | "result"): Converted {
  const converted = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io: side === "input" ? "input" : "output",
    override: ({ jsonSchema }) => {
      // The id is already the name of the definition.
      if (typeof jsonSchema.id === "string") delete jsonSchema.id;
      if (side === "result") loosen(jsonSchema);
    },
  });
  const { $schema: _, $defs, ...rest } = JSON.parse(JSON.stringify(converted)) as JsonSchema;
  return { schema: rest, definitions: ($defs ?? {}) as Record<string, JsonSchema> };
}

/** Opens a result to additions, and drops what only says "JavaScript number" or "a key is a string". */
function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  delete schema.propertyNames;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function byOperation<T>(value: (name: OperationName) => T): Record<OperationName, T> {
  return Object.fromEntries(operationNames.map((name) => [name, value(name)])) as Record<OperationName, T>;
}
