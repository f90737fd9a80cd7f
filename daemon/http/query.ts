import { IntercomError, type Operation } from "../../protocol/index.ts";

type Coercion = "integer" | "boolean" | "text";

/** How the fields of an operation travel in a query: everything is text there, the schemas speak of numbers and flags. */
export function queryCoercions(op: Operation): ReadonlyMap<string, Coercion> {
  return new Map(Object.entries(op.input.shape).map(([field, schema]) => [field, coercionOf(schema)]));
}

interface Described {
  readonly def: { readonly type: string; readonly innerType?: Described };
}

function coercionOf(schema: unknown): Coercion {
  let described = schema as Described;
  while (described.def.type === "optional" && described.def.innerType) described = described.def.innerType;
  if (described.def.type === "number" || described.def.type === "int") return "integer";
  return described.def.type === "boolean" ? "boolean" : "text";
}

/** Reads a query string into input fields. Empty values count as absent. */
export function readQuery(query: string, coercions: ReadonlyMap<string, Coercion>): Record<string, unknown> {
  if (query === "") return {};
  const input = new Map<string, unknown>();
  for (const [field, value] of new URLSearchParams(query)) {
    if (input.has(field)) throw new IntercomError("INVALID_ARGUMENT", `${field}: expected once`);
    if (value !== "") input.set(field, coerce(value, coercions.get(field) ?? "text"));
  }
  // Unlike an assignment, this makes a field of `__proto__` too, which the schema then refuses.
  return Object.fromEntries(input);
}

function coerce(value: string, coercion: Coercion): unknown {
  if (coercion === "integer" && /^-?\d{1,16}$/.test(value)) return Number(value);
  if (coercion === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
