import { type JsonSchema, referenceOf, requiredOf } from "./json-schema.ts";

/** Describes a schema in one line of Markdown: `text, 1 to 256 bytes`, `list of Identifier, at most 128`. */
export function typeText(schema: JsonSchema): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return `[${plainName(reference)}](#${anchorOf(reference)})`;
  if ("const" in schema) return code(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(code).join(", ")}`;
  if (Array.isArray(schema.anyOf) && schema.type === undefined) {
    return (schema.anyOf as JsonSchema[]).map(typeText).join(" or ");
  }
  if ("not" in schema) return `any JSON but ${typeText(schema.not as JsonSchema)}`;
  switch (schema.type) {
    case "string":
      return stringText(schema);
    case "integer":
      return integerText(schema);
    case "boolean":
      return "true or false";
    case "null":
      return "`null`";
    case "array":
      return listText(schema);
    default:
      return objectText(schema);
  }
}

/** Where the page of objects describes a shared definition. */
export function anchorOf(definition: string): string {
  return `type-${plainName(definition).toLowerCase()}`;
}

/** The closed form of an input is described together with the open one. */
function plainName(definition: string): string {
  return definition.replace(/Input$/, "");
}

function stringText(schema: JsonSchema): string {
  if (typeof schema["x-form"] === "string") return schema["x-form"];
  const limit = schema["x-maxBytes"];
  if (typeof limit !== "number") return "text";
  return schema.minLength === 1 ? `text, 1 to ${limit} bytes` : `text, at most ${limit} bytes`;
}

function integerText({ minimum, maximum, anyOf }: JsonSchema): string {
  if (typeof minimum !== "number") return "whole number";
  if (maximum === Number.MAX_SAFE_INTEGER || typeof maximum !== "number") return `whole number from ${minimum}`;
  const [zero, rest] = (anyOf ?? []) as readonly JsonSchema[];
  const range = (from: number) => `${from} to ${maximum}`;
  if (zero?.const === 0 && typeof rest?.minimum === "number") return `0, or ${range(rest.minimum)}`;
  return `whole number ${range(minimum)}`;
}

function listText(schema: JsonSchema): string {
  const { maxItems, anyOf } = schema;
  const [none, some] = (anyOf ?? []) as readonly JsonSchema[];
  const fewest = none?.maxItems === 0 && typeof some?.minItems === "number" ? some.minItems : undefined;
  return [
    `list of ${typeText(schema.items as JsonSchema)}`,
    ...(typeof maxItems === "number"
      ? [fewest === undefined ? `at most ${maxItems}` : `none or ${fewest} to ${maxItems}`]
      : []),
  ].join("; ");
}

function objectText(schema: JsonSchema): string {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (fields.length === 0 && typeof schema.additionalProperties === "object") {
    return `object of ${typeText(schema.additionalProperties as JsonSchema)} values`;
  }
  if (fields.length === 0) return schema.additionalProperties === false ? "empty object" : "object";
  const required = requiredOf(schema);
  const parts = fields.map(([name, field]) => `\`${name}\`${required.includes(name) ? "" : "?"} ${typeText(field)}`);
  return `object: ${parts.join("; ")}`;
}

function code(value: unknown): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

/** A schema's type, and what its description adds. */
export function described(schema: JsonSchema): string {
  return typeof schema.description === "string" ? `${typeText(schema)}. ${schema.description}` : typeText(schema);
}
