import { z } from "zod";
import { inputPlacement, type OperationName, operationOf, pathParameters } from "../../../protocol/index.ts";

/** The part of JSON Schema the operation table makes use of. */
interface Node {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  /** Any JSON but what this describes. */
  readonly not?: Node;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly "x-maxBytes"?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Node>>;
}

/** One value for one field. */
export interface BoundaryCase {
  /** Dotted path of the field. */
  readonly field: string;
  readonly what: string;
  readonly value: unknown;
  readonly fits: boolean;
}

/** Marks a field that is to be left out. */
export const ABSENT = Symbol("absent");

type Place = "body" | "query" | "path";

function bad(field: string, what: string, value: unknown): BoundaryCase {
  return { field, what, value, fits: false };
}

function good(field: string, what: string, value: unknown): BoundaryCase {
  return { field, what, value, fits: true };
}

/** Text of exactly `bytes` UTF-8 bytes, most of it in characters of three. */
export function multibyte(bytes: number): string {
  return "€".repeat(Math.floor(bytes / 3)) + "a".repeat(bytes % 3);
}

class Walker {
  readonly #place: Place;
  readonly #defs: Readonly<Record<string, Node>>;

  constructor(place: Place, defs: Readonly<Record<string, Node>>) {
    this.#place = place;
    this.#defs = defs;
  }

  #resolve(node: Node): Node {
    const target = node.$ref?.replace("#/$defs/", "");
    return target === undefined ? node : { ...this.#resolve(this.#defs[target] as Node), ...node };
  }

  /** Cases of one field. Of what they share, only the kind of a value is wrong in most. */
  cases(field: string, unresolved: Node): BoundaryCase[] {
    const node = this.#resolve(unresolved);
    const cases = this.#place === "body" ? [bad(field, "null", null)] : [];
    if (node.enum) return [...cases, ...this.#choice(field, node.enum)];
    if (node.not) return [...cases, good(field, "any text", "x"), bad(field, "NUL", "a\u0000b")];
    if (node.format === "date-time") return [...cases, ...this.#instant(field)];
    if (node.format === "uri") return [...cases, ...this.#uri(field, node)];
    switch (node.type) {
      case "string":
        return [
          ...cases,
          ...(node.pattern?.startsWith("^[A-Za-z0-9]") ? this.#identifier(field) : this.#text(field, node)),
        ];
      case "integer":
        return [...cases, ...this.#integer(field, node)];
      case "boolean":
        return [...cases, ...this.#flag(field)];
      case "array":
        return [...cases, ...this.#list(field, node)];
      case "object":
        return [...cases, ...this.#object(field, node)];
      default:
        throw new Error(`${field}: no boundary cases for ${JSON.stringify(node)}`);
    }
  }

  #wrongTypes(field: string, ...values: unknown[]): BoundaryCase[] {
    if (this.#place !== "body") return [];
    return values.map((value) => bad(field, `wrong type ${JSON.stringify(value)}`, value));
  }

  #choice(field: string, values: readonly string[]): BoundaryCase[] {
    const first = values[0] as string;
    return [
      ...values.map((value) => good(field, value, value)),
      bad(field, "another word", "bogus"),
      bad(field, "other case", first.toUpperCase()),
      ...this.#wrongTypes(field, 1, [first]),
    ];
  }

  #identifier(field: string): BoundaryCase[] {
    const max = 128;
    return [
      good(field, "1 character", "a"),
      good(field, `${max} characters`, `A${"z".repeat(max - 5)}_.:-`),
      bad(field, `${max + 1} characters`, "a".repeat(max + 1)),
      bad(field, "a slash", "a/b"),
      bad(field, "a blank", "a b"),
      bad(field, "a letter beyond ASCII", "aé"),
      bad(field, "a leading dash", "-a"),
      bad(field, "a trailing newline", "a\n"),
      ...(this.#place === "body" ? [bad(field, "empty", "")] : []),
      ...this.#wrongTypes(field, 1, {}, ["a"]),
    ];
  }

  #text(field: string, node: Node): BoundaryCase[] {
    const max = node["x-maxBytes"];
    if (max === undefined) throw new Error(`${field}: text without a limit`);
    const needed = node.minLength === 1;
    return [
      good(field, `${max} bytes`, "a".repeat(max)),
      good(field, `${max} bytes of multi-byte characters`, multibyte(max)),
      bad(field, `${max + 1} bytes`, "a".repeat(max + 1)),
      bad(field, `${max + 1} bytes of multi-byte characters`, multibyte(max + 1)),
      bad(field, "NUL", "a\u0000b"),
      // A query cannot carry one.
      ...(this.#place === "body" ? [bad(field, "a lone surrogate", "a\ud800")] : []),
      ...(this.#place === "body" ? [needed ? bad(field, "empty", "") : good(field, "empty", "")] : []),
      ...(needed ? [bad(field, "blank", " \t\n")] : [good(field, "blank", "  ")]),
      ...this.#wrongTypes(field, 1, true, {}, ["a"]),
    ];
  }

  #instant(field: string): BoundaryCase[] {
    return [
      good(field, "to the second", "2026-01-31T12:00:00Z"),
      good(field, "to the nanosecond", "2026-01-31T12:00:00.123456789Z"),
      good(field, "with an offset", "2026-01-31T12:00:00+05:30"),
      ...["2026-01-31", "2026-02-30T12:00:00Z", "2026-01-31T12:00:00", "2026-01-31T25:00:00Z", "now", "0"].map(
        (value) => bad(field, value, value),
      ),
      ...this.#wrongTypes(field, 1, {}, ["2026-01-31T12:00:00Z"]),
    ];
  }

  #uri(field: string, node: Node): BoundaryCase[] {
    const max = node["x-maxBytes"] ?? 0;
    return [
      good(field, `${max} bytes`, `urn:${"a".repeat(max - 4)}`),
      bad(field, `${max + 1} bytes`, `urn:${"a".repeat(max - 3)}`),
      ...["relative/path", "//host/path", "", " "].map((value) => bad(field, JSON.stringify(value), value)),
      ...this.#wrongTypes(field, 1, {}, ["urn:a"]),
    ];
  }

  #integer(field: string, node: Node): BoundaryCase[] {
    const { minimum = 0, maximum = 0 } = node;
    return [
      good(field, `least ${minimum}`, minimum),
      good(field, `most ${maximum}`, maximum),
      bad(field, "one below", minimum - 1),
      bad(field, "one above", maximum + 1),
      bad(field, "a fraction", minimum + 0.5),
      ...(this.#place === "body"
        ? this.#wrongTypes(field, String(maximum), true, [maximum])
        : [bad(field, "a word", "many"), bad(field, "an exponent", "1e1"), bad(field, "a blank", " 1")]),
    ];
  }

  #flag(field: string): BoundaryCase[] {
    return [
      good(field, "true", true),
      good(field, "false", false),
      ...(this.#place === "body"
        ? this.#wrongTypes(field, "true", 1, 0)
        : [bad(field, "a word", "yes"), bad(field, "a number", 1), bad(field, "other case", "TRUE")]),
    ];
  }

  #list(field: string, node: Node): BoundaryCase[] {
    const { maxItems: max } = node;
    if (max === undefined || !node.items) throw new Error(`${field}: list without a limit`);
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => this.#sample(node.items as Node, index));
    return [
      ...(node.minItems ? [bad(field, "empty", [])] : [good(field, "empty", [])]),
      good(field, `${max} entries`, items(max)),
      bad(field, `${max + 1} entries`, items(max + 1)),
      ...this.#wrongTypes(field, "a", 1, { 0: "a" }),
      ...this.cases(`${field}.0`, node.items).map((each) => this.#inFirstItem(field, node, each)),
    ];
  }

  /** Puts a case of an item into a list that is long enough to be right otherwise. */
  #inFirstItem(field: string, node: Node, each: BoundaryCase): BoundaryCase {
    const first = { ...(this.#sampleObject(node.items as Node, 0) ?? {}) };
    const inside = each.field.slice(`${field}.0`.length + 1);
    if (inside === "") {
      const others = [1, 0].map((index) => this.#sample(node.items as Node, index));
      return { ...each, value: [each.value, others.find((other) => other !== each.value)] };
    }
    if (each.value === ABSENT) delete first[inside];
    else first[inside] = each.value;
    return { ...each, value: [first] };
  }

  #object(field: string, node: Node): BoundaryCase[] {
    const required = node.required ?? [];
    const at = (name: string) => (field === "" ? name : `${field}.${name}`);
    const complete = this.#sampleObject(node, 0) ?? {};
    const properties = Object.entries(node.properties ?? {});
    const within = properties.flatMap(([name, child]) => this.cases(at(name), child));
    return [
      ...this.#wrongTypes(field, "a", 1, []),
      // In a list the item is completed by the caller; an object of its own is completed here.
      ...within.map((each) =>
        field.endsWith(".0")
          ? each
          : { ...each, value: { ...complete, [each.field.slice(field.length + 1)]: each.value } },
      ),
      ...required.map((name) => {
        const { [name]: _, ...others } = complete;
        return bad(at(name), "missing", field.endsWith(".0") ? ABSENT : others);
      }),
      { ...bad(at("unheardOf"), "unknown field", field.endsWith(".0") ? 1 : { ...complete, unheardOf: 1 }) },
    ];
  }

  #sampleObject(unresolved: Node, index: number): Record<string, unknown> | undefined {
    const node = this.#resolve(unresolved);
    if (node.type !== "object") return undefined;
    const required = node.required ?? [];
    return Object.fromEntries(required.map((name) => [name, this.#sample(node.properties?.[name] as Node, index)]));
  }

  /** The `index`th different value that fits. */
  #sample(unresolved: Node, index: number): unknown {
    const node = this.#resolve(unresolved);
    if (node.type === "object") return this.#sampleObject(node, index);
    if (node.enum) return node.enum[index % node.enum.length];
    return node.format === "uri" ? `urn:sample-${index}` : `sample-${index}`;
  }
}

/** Every field of an operation with the values that just fit and those that just do not. */
export function boundaryCases(name: OperationName): BoundaryCase[] {
  const op = operationOf(name);
  // Uploads are checked record by record, and A2A refuses in its own words: both have tests of their own.
  if (op.transfer === "upload" || op.framing === "a2a") return [];
  const schema = z.toJSONSchema(op.input, { io: "input" }) as Node;
  const inPath = pathParameters(op.path);
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([field, node]) => {
    const place: Place = inPath.includes(field) ? "path" : inputPlacement(op);
    const cases = new Walker(place, schema.$defs ?? {}).cases(field, node);
    return required.includes(field) && place !== "path" ? [...cases, bad(field, "missing", ABSENT)] : cases;
  });
}
