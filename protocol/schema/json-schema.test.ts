import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { operationNames, operationOf, utf8Length } from "../index.ts";
import { compileSchemas, fieldsOf, type JsonSchema, mapReferences, referenceOf, requiredOf } from "./json-schema.ts";

const schemas = compileSchemas();

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat("date-time", (value: string) => !Number.isNaN(Date.parse(value)));
ajv.addFormat("uri", (value: string) => /^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) && URL.canParse(value));
ajv.addKeyword({
  keyword: "x-maxBytes",
  type: "string",
  schemaType: "number",
  validate: (max: number, value: string) => utf8Length(value) <= max,
});

const SHARED = "definitions";
const rooted = (schema: JsonSchema) => mapReferences(schema, (name) => `${SHARED}#/$defs/${name}`);
ajv.addSchema(rooted({ $defs: schemas.definitions }), SHARED);

function compiled(schema: JsonSchema): ValidateFunction {
  return ajv.compile(rooted(schema));
}

/** Rules zod checks that JSON Schema has no words for. */
const UNSAID = [
  /^must not contain the NUL character$/,
  /^must be well-formed Unicode$/,
  /^expected each capability name once$/,
  /^expected two different agents$/,
  /bytes of context in total$/,
  /bytes of JSON, got \d+$/,
  /^expected at most 64 levels of nesting$/,
  // Of the parts of an A2A message together.
  /^message\.parts: expected 1 to 65536 bytes of text/,
];

function onlyUnsaid(error: z.ZodError | undefined): boolean {
  return (error?.issues ?? []).every((issue) =>
    UNSAID.some((rule) => rule.test(issue.message) || rule.test(`${issue.path.join(".")}: ${issue.message}`)),
  );
}

/** Text at and around a limit, in characters of every width, and text no rule likes. */
function texts(limit: number): fc.Arbitrary<string> {
  const unit = fc.constantFrom("a", "é", "€", "😀");
  const edge = fc.tuple(unit, fc.constantFrom(-1, 0, 1)).map(([character, over]) => {
    const count = Math.floor(limit / utf8Length(character));
    return character.repeat(Math.max(0, count + over));
  });
  const common = fc.string({ unit: "binary", maxLength: Math.min(limit, 40) });
  return fc.oneof(
    { weight: 6, arbitrary: common },
    { weight: limit > 5000 ? 1 : 3, arbitrary: edge },
    fc.constant(" "),
  );
}

/** Texts of the forms that a schema names instead of describing them. */
function formatted({ format, pattern }: JsonSchema): fc.Arbitrary<string> | undefined {
  if (typeof pattern === "string" && pattern.startsWith("^") && format === undefined) {
    return fc.oneof({ weight: 9, arbitrary: fc.stringMatching(new RegExp(pattern)) }, texts(60));
  }
  if (format === "uri") return fc.oneof(fc.webUrl(), fc.constantFrom("urn:a:b", "file:///a b", "a/b", "//host", "1:2"));
  if (format !== "date-time") return undefined;
  const zone = fc.constantFrom("Z", "+05:30", "-00:00", "z", "");
  const fraction = fc.constantFrom("", ".5", ".123456789");
  return fc.tuple(instants, fraction, zone).map(([at, more, offset]) => at.slice(0, 19) + more + offset);
}

const instants = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .map((date) => date.toISOString());

const junk = fc.constantFrom<unknown>(null, 0, -1, 1.5, true, "", "a b", [], {}, ["a", "a"], { a: 1 });

/** Values a schema roughly describes: most fit, some are at or beyond an edge, some are something else altogether. */
function values(schema: JsonSchema, junkiness: number): fc.Arbitrary<unknown> {
  const fitting = fittingValues(schema, junkiness);
  return junkiness === 0
    ? fitting
    : fc.oneof({ weight: 40, arbitrary: fitting }, { weight: junkiness, arbitrary: junk });
}

function fittingValues(schema: JsonSchema, junkiness: number): fc.Arbitrary<unknown> {
  const reference = referenceOf(schema);
  if (reference === "Identifier")
    return fc.oneof(fc.constantFrom("a", "b", "x".repeat(128)), fc.stringMatching(/^[a-z0-9][\w.:-]{0,20}$/));
  if (reference === "Instant") return instants;
  if (reference !== undefined) return values(schemas.definitions[reference] as JsonSchema, junkiness);
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.anyOf) && schema.type === undefined) {
    return fc.oneof(...(schema.anyOf as JsonSchema[]).map((option) => values(option, junkiness)));
  }
  switch (schema.type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer": {
      const [low, high] = [Number(schema.minimum ?? 0), Number(schema.maximum ?? 2 ** 31)];
      const edges = junkiness === 0 ? [low, high] : [low, high, low - 1, high + 1, 29_999, 30_000];
      return fc.oneof(fc.integer({ min: low, max: high }), fc.constantFrom(...edges));
    }
    case "string":
      return formatted(schema) ?? texts(Number(schema["x-maxBytes"] ?? 60));
    case "array":
      return fc.array(values(schema.items as JsonSchema, junkiness), { maxLength: 5 });
    default:
      return objects(schema, junkiness);
  }
}

function objects(schema: JsonSchema, junkiness: number): fc.Arbitrary<unknown> {
  const fields = fieldsOf(schema);
  if (Object.keys(fields).length === 0 && typeof schema.additionalProperties === "object") {
    return fc.dictionary(fc.constantFrom("a", "b"), values(schema.additionalProperties as JsonSchema, junkiness));
  }
  // Of an archive, whose records have to fit all at once, mostly a few are looked at.
  const lists = Object.values(fields).filter(({ type }) => type === "array").length;
  const field = (each: JsonSchema) =>
    lists > 5 && each.type === "array"
      ? fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>([]) }, values(each, junkiness))
      : values(each, junkiness);
  const model = Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, field(each)]));
  const record = fc.record(model, { requiredKeys: [...requiredOf(schema)] });
  if (junkiness === 0) return record;
  const extra = fc.oneof(
    { weight: 30, arbitrary: fc.constant({}) },
    fc.constant({ unheardOf: 1 }),
    fc.constant({ "": 1 }),
  );
  return fc.tuple(record, extra).map(([value, more]) => ({ ...value, ...more }));
}

test("every definition compiles and has a name of its own", () => {
  for (const [name, schema] of Object.entries(schemas.definitions)) {
    expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
    expect(() => compiled(schema), name).not.toThrow();
    expect(schema).not.toHaveProperty("id");
  }
});

test("every reference leads somewhere", () => {
  const text = JSON.stringify(schemas);
  const targets = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map((match) => match[1]);
  expect(targets.length).toBeGreaterThan(100);
  for (const target of targets) expect(Object.keys(schemas.definitions)).toContain(target);
});

describe("inputs", () => {
  test("are closed everywhere, and results open everywhere", () => {
    const closed = (schema: JsonSchema) => JSON.stringify(schema).includes('"additionalProperties":false');
    for (const name of operationNames) {
      expect(schemas.inputs[name].additionalProperties, name).toBe(false);
      expect(closed(schemas.results[name]), name).toBe(false);
    }
    for (const [name, schema] of Object.entries(schemas.definitions))
      expect(closed(schema), name).toBe(name.endsWith("Input"));
  });

  test("say the limits that JSON Schema can say", () => {
    expect(schemas.inputs.sendMessage.properties).toMatchObject({
      to: { $ref: "#/$defs/Identifier" },
      body: { type: "string", minLength: 1, maxLength: 65_536, "x-maxBytes": 65_536, pattern: "\\S" },
      expiresInMs: { type: "integer", minimum: 0, maximum: 2_592_000_000 },
      context: { maxItems: 32, items: { $ref: "#/$defs/ContextItemInput" } },
    });
    expect(schemas.inputs.registerAgent.properties).toMatchObject({
      leaseMs: { type: "integer", maximum: 86_400_000, anyOf: [{ const: 0 }, { minimum: 30_000 }] },
      connectTo: { maxItems: 128 },
    });
    expect(schemas.inputs.askHuman.properties).toMatchObject({
      options: { maxItems: 4, anyOf: [{ maxItems: 0 }, { minItems: 2 }] },
    });
  });

  test.each(operationNames)("%s: zod and JSON Schema agree", (name) => {
    const { input } = operationOf(name);
    const validate = compiled(schemas.inputs[name]);
    let accepted = 0;
    fc.assert(
      fc.property(values(schemas.inputs[name], 1), (value) => {
        const result = input.safeParse(value);
        const valid = validate(value);
        if (result.success) {
          accepted += 1;
          expect(valid, JSON.stringify(validate.errors)).toBe(true);
        }
        if (valid) expect(onlyUnsaid(result.error), JSON.stringify(result.error?.issues)).toBe(true);
      }),
      { numRuns: 150 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

describe("results", () => {
  test.each(operationNames)("%s: what the schema describes is what zod takes", (name) => {
    const { result } = operationOf(name);
    const validate = compiled(schemas.results[name]);
    let accepted = 0;
    fc.assert(
      fc.property(values(schemas.results[name], 0), (value) => {
        const parsed = result.safeParse(value);
        const valid = validate(value);
        if (parsed.success) {
          accepted += 1;
          expect(valid, JSON.stringify(validate.errors)).toBe(true);
        }
        if (valid) expect(onlyUnsaid(parsed.error), JSON.stringify(parsed.error?.issues)).toBe(true);
      }),
      { numRuns: 30 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  test("tolerate fields that were added later", () => {
    const validate = compiled(schemas.results.listLinks);
    const link = { left: "a", right: "b", createdAt: "2026-11-29T10:00:00.000Z", note: "new" };
    expect(validate({ links: [link], total: 1 })).toBe(true);
    expect(validate({ links: [{ ...link, createdAt: "2026-11-29T10:00:00Z" }] })).toBe(false);
  });
});
