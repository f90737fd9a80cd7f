import type { ObjectSchema } from "./schema.ts";

/**
 * Undoes what models often do: send a list or an object as its JSON text. Only where the schema wants such a thing and
 * the text is one; everything else is left for the schema to judge.
 */
export function reviveJsonText(args: Readonly<Record<string, unknown>>, schema: ObjectSchema): Record<string, unknown> {
  const revived = Object.entries(args).map(([name, value]): [string, unknown] => {
    const type = Object.hasOwn(schema.properties, name) ? schema.properties[name]?.type : undefined;
    if (typeof value !== "string" || (type !== "array" && type !== "object")) return [name, value];
    const parsed = parse(value);
    const fits = type === "array" ? Array.isArray(parsed) : isPlainObject(parsed);
    return [name, fits ? parsed : value];
  });
  return Object.fromEntries(revived);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
