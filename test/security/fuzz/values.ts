import fc from "fast-check";
import type { OperationName } from "../../../protocol/index.ts";
import {
  compileSchemas,
  fieldsOf,
  type JsonSchema,
  referenceOf,
  requiredOf,
} from "../../../protocol/schema/json-schema.ts";

/** Stands for the id of something that exists when the request is sent. */
export class IdReference {
  readonly field: string;
  readonly choice: number;

  constructor(field: string, choice: number) {
    this.field = field;
    this.choice = choice;
  }
}

/** One way in which an input differs from what the schema describes. */
export type Damage =
  | { readonly kind: "replace"; readonly field: string; readonly value: unknown }
  | { readonly kind: "drop"; readonly field: string };

export const schemas = compileSchemas();

/** How long fuzzed calls may wait, so that they move on. */
const WAIT_MAX_MS = 20;

const NOT_JSON_TYPES = [null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 53), "", " ", "x", [], {}, [[]], [null]];
const ODD_KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "then",
  "unheardOf",
  "",
  " ",
  "a.b",
  "0",
  "\u0000",
];

/** Texts that somebody might take for more than text. */
const ODD_TEXTS = [
  "",
  " ",
  "\t\r\n",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udfffb",
  "\ufeffx",
  "\u202e\u2066x",
  "e\u0301\u0301\u0301",
  "👩‍👩‍👧‍👦",
  "İıſK",
  "x\r\nX-Injected: 1",
  "' OR 1=1 --",
  "\\u0000",
  "%00%0d%0a",
  "../../etc/passwd",
  "<script>",
  "{{7*7}}",
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e999",
  "true",
  "human",
  "__proto__",
  "a/b",
  "a\\b",
  "-a",
  ".",
  "..",
  "~",
  "\u0085",
  "\u2028",
];

const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...NOT_JSON_TYPES) },
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...ODD_TEXTS) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(20, 500).map(nested) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_KEYS).map((key) => own(key, { polluted: true })) },
);

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** An object with this very key, `__proto__` too. */
function own(key: string, value: unknown): Record<string, unknown> {
  return Object.fromEntries([[key, value]]);
}

/** A schema with the definition it refers to put in. */
export function resolved(node: JsonSchema): JsonSchema {
  const name = referenceOf(node);
  return name === undefined ? node : { ...schemas.definitions[name], ...node };
}

/** Values that fit, as far as the schema can say. */
function fitting(unresolved: JsonSchema, field: string): fc.Arbitrary<unknown> {
  if (referenceOf(unresolved) === "Identifier") return identifiers(field);
  const node = resolved(unresolved);
  const choices = (node.anyOf ?? node.oneOf) as JsonSchema[] | undefined;
  if (choices && node.type === undefined) return fc.oneof(...choices.map((each) => fitting(each, field)));
  if ("const" in node) return fc.constant(node.const);
  if (Array.isArray(node.enum)) return fc.constantFrom<unknown>(...node.enum);
  switch (node.type) {
    case "string":
      return texts(node);
    case "integer":
    case "number":
      return integers(node, field);
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.array(fitting(node.items as JsonSchema, field), {
        minLength: Math.min(Number(node.minItems ?? 0), 4),
        maxLength: Math.min(Number(node.maxItems ?? 4), 4),
      });
    case "object":
      return objects(node);
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 3 }).map((value) => value ?? "x");
  }
}

function identifiers(field: string): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.nat(1_000_000).map((choice) => new IdReference(field, choice)) },
    { weight: 1, arbitrary: fc.constantFrom("human", "a", "constructor", "toString", "x".repeat(128)) },
    { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9][\w.:-]{0,20}$/) },
  );
}

function texts(node: JsonSchema): fc.Arbitrary<string> {
  const max = Number(node["x-maxBytes"] ?? node.maxLength ?? 64);
  if (node.format !== undefined) {
    return fc.constantFrom("2026-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999999+14:00");
  }
  const clip = (text: string) => [...`x${text}`].slice(0, Math.max(1, Math.floor(max / 4))).join("");
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ maxLength: 12 }).map(clip) },
    { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }).map(clip) },
  );
}

function integers(node: JsonSchema, field: string): fc.Arbitrary<unknown> {
  const min = Number(node.minimum ?? 0);
  const max = field === "waitMs" ? WAIT_MAX_MS : Number(node.maximum ?? 100);
  return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max: Math.min(max, min + 1000) }));
}

function objects(node: JsonSchema): fc.Arbitrary<unknown> {
  const fields = Object.entries(fieldsOf(node)).map(([name, child]) => [name, fitting(child, name)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...requiredOf(node)] });
}

/** Values just inside and just outside of the bounds, and values that are something else altogether. */
function edges(unresolved: JsonSchema, field: string): fc.Arbitrary<unknown> {
  const node = resolved(unresolved);
  const max = Number(node["x-maxBytes"] ?? node.maxLength ?? 128);
  switch (node.type) {
    case "string":
      return fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...ODD_TEXTS) },
        { weight: max > 20_000 ? 1 : 4, arbitrary: fc.constantFrom(max, max + 1).map((bytes) => "a".repeat(bytes)) },
        {
          weight: max > 20_000 ? 1 : 2,
          arbitrary: fc.constantFrom(0, 1).map((over) => "€".repeat(Math.floor(max / 3) + over)),
        },
      );
    case "integer":
    case "number": {
      const [least, most] = [Number(node.minimum ?? 0), Number(node.maximum ?? 2 ** 53)];
      // The longest wait there is would hold the fuzzer up.
      const inside = field === "waitMs" ? least : most;
      return fc.constantFrom<unknown>(
        least,
        inside,
        least - 1,
        most + 1,
        least + 0.5,
        -0,
        String(least),
        1e-7,
        1e21,
        -1e308,
      );
    }
    case "array": {
      const item = node.items as JsonSchema;
      const count = Number(node.maxItems ?? 8);
      const many = fc.constantFrom(count, count + 1, 0);
      return fc.oneof(
        { weight: 2, arbitrary: fc.tuple(many, fitting(item, field)).map(([n, value]) => Array(n).fill(value)) },
        { weight: 2, arbitrary: edges(item, field).map((value) => [value]) },
        { weight: 1, arbitrary: junk.map((value) => [value, value]) },
      );
    }
    case "object":
      return fc.oneof(
        ...Object.entries(fieldsOf(node)).map(([name, child]) =>
          fc.tuple(fitting(node, field), fc.oneof(edges(child, name), junk)).map(([whole, part]) => ({
            ...(whole as object),
            ...own(name, part),
          })),
        ),
        fc
          .tuple(fitting(node, field), fc.constantFrom(...ODD_KEYS), junk)
          .map(([whole, key, value]) => Object.fromEntries([...Object.entries(whole as object), [key, value]])),
      );
    default:
      return junk;
  }
}

/** Inputs the schema of an operation describes. */
export function inputsOf(name: OperationName): fc.Arbitrary<Record<string, unknown>> {
  return objects(schemas.inputs[name]) as fc.Arbitrary<Record<string, unknown>>;
}

/** Ways to break an input of the operation, or to bring it to an edge. */
export function damagesOf(name: OperationName): fc.Arbitrary<Damage> {
  const fields = Object.entries(fieldsOf(schemas.inputs[name]));
  const replace = (field: string, value: unknown): Damage => ({ kind: "replace", field, value });
  const unknown = fc.tuple(fc.constantFrom(...ODD_KEYS), junk).map(([field, value]) => replace(field, value));
  if (fields.length === 0) return unknown;
  return fc.oneof(
    { weight: 3, arbitrary: unknown },
    { weight: 2, arbitrary: fc.constantFrom(...fields).map(([field]): Damage => ({ kind: "drop", field })) },
    ...fields.map(([field, node]) => ({
      weight: Math.max(1, Math.floor(15 / fields.length)),
      arbitrary: fc
        .oneof({ weight: 3, arbitrary: edges(node, field) }, { weight: 1, arbitrary: junk })
        .map((value) => replace(field, value)),
    })),
  );
}
