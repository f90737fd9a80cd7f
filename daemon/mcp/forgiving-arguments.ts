import { IntercomError } from "../../protocol/index.ts";
import { closestName } from "./closest-name.ts";
import { clip } from "./result-room.ts";
import type { JsonSchema, ObjectSchema } from "./schema.ts";

type Arguments = Readonly<Record<string, unknown>>;

const NAME_ROOM = 64;

/**
 * Reads arguments as a model meant them, wherever that is beyond doubt: names in another spelling, empty ones that might as
 * well be absent, JSON text for what it holds, one thing for a list of it, numbers and truth values as text, and words of a
 * choice in another case. Whatever remains is for the schema to judge.
 * @throws {IntercomError} INVALID_ARGUMENT for an argument that does not exist, with the one that may be meant
 */
export function forgive(args: Arguments, schema: ObjectSchema): Record<string, unknown> {
  return forgiveFields(args, schema, (name) => {
    const known = Object.keys(schema.properties);
    const closest = closestName(name, known);
    const expected = known.length === 0 ? "no arguments" : known.join(", ");
    const hint = closest === undefined ? "" : `; did you mean ${closest}?`;
    throw new IntercomError(
      "INVALID_ARGUMENT",
      `${clip(name, NAME_ROOM)}: unknown argument; expected ${expected}${hint}`,
    );
  });
}

function forgiveFields(
  fields: Arguments,
  schema: ObjectSchema,
  onUnknown: (name: string) => void = () => {},
): Record<string, unknown> {
  const required = schema.required ?? [];
  const kept: [name: string, value: unknown][] = [];
  for (const [given, value] of Object.entries(fields)) {
    const name = knownName(given, fields, schema);
    const field = name === undefined ? undefined : schema.properties[name];
    if (name === undefined || field === undefined) {
      onUnknown(given);
      kept.push([given, value]);
    } else if (required.includes(name) || (value !== null && value !== "")) {
      kept.push([name, forgiveValue(value, field)]);
    }
  }
  return Object.fromEntries(kept);
}

/** The argument a name stands for: itself, or the one that is spelled alike and not there already. */
function knownName(given: string, fields: Arguments, schema: ObjectSchema): string | undefined {
  if (Object.hasOwn(schema.properties, given)) return given;
  const alike = (name: string) => bare(name) === bare(given);
  const [only, ...more] = Object.keys(schema.properties).filter(alike);
  const once = Object.keys(fields).filter(alike).length === 1;
  return more.length === 0 && once ? only : undefined;
}

/** A name without what differs between ways of writing names. */
function bare(name: string): string {
  return name.replaceAll(/[_\-\s]/g, "").toLowerCase();
}

function forgiveValue(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(schema.enum)) return forgiveChoice(value, schema.enum);
  switch (schema.type) {
    case "array": {
      const items = (schema.items ?? {}) as JsonSchema;
      if (value === null || value === "") return value;
      return toList(value).map((item) => forgiveValue(item, items));
    }
    case "object": {
      const fields = typeof value === "string" ? parseJson(value) : value;
      return isFields(fields) && "properties" in schema ? forgiveFields(fields, schema as ObjectSchema) : value;
    }
    case "integer":
    case "number":
      return typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
    case "boolean":
      return toTruth(value);
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    default:
      return value;
  }
}

function forgiveChoice(value: unknown, choices: readonly unknown[]): unknown {
  if (typeof value !== "string" || choices.includes(value)) return value;
  const [only, ...more] = choices.filter((choice) => typeof choice === "string" && bare(choice) === bare(value));
  return only !== undefined && more.length === 0 ? only : value;
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  return Array.isArray(parsed) ? parsed : [value];
}

function toTruth(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  return word === "true" || word === "false" ? word === "true" : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
