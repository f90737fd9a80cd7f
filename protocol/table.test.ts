import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  commonErrors,
  ERROR_CODES,
  IDENTIFIER_PATTERN,
  inputPlacement,
  LIMITS,
  type Operation,
  operationNames,
  operationOf,
  pathParameters,
} from "./index.ts";
import { groups } from "./schema/groups.ts";

const table = operationNames.map((name) => [name, operationOf(name)] as const);

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrapped(schema.unwrap()) : schema;
}

/** Operations whose goal is reached when the resource is not there. */
const SATISFIED_WITHOUT = new Set<string>(["deleteScope", "releaseInbox"]);

/** A value that fits one query or path parameter. */
function isScalar(schema: unknown): boolean {
  const inner = unwrapped(schema);
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum].some((kind) => inner instanceof kind);
}

describe("the table as a whole", () => {
  test("gives every method and path to one operation", () => {
    const doors = table.flatMap(([, op]) => [op.path, ...(op.aliases ?? [])].map((path) => `${op.method} ${path}`));
    expect(new Set(doors).size).toBe(doors.length);
  });

  test("has no two path templates that match the same path under different parameter names", () => {
    const shapes = new Map<string, string>();
    for (const [, op] of table) {
      const shape = op.path.replace(/\{\w+\}/g, "{}");
      expect(shapes.get(shape) ?? op.path, shape).toBe(op.path);
      shapes.set(shape, op.path);
    }
  });

  test("is covered by the chapters of the documents, in the same order", () => {
    expect(groups.flatMap((group) => group.operations.map(({ name }) => name))).toEqual(operationNames);
  });
});

describe.each(table)("%s", (name, op: Operation) => {
  test("has a name that is a plain identifier", () => {
    expect(name).toMatch(/^[a-z][A-Za-z]+$/);
  });

  test("says in one line what it does", () => {
    expect(op.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(op.summary.length).toBeLessThanOrEqual(100);
    if (op.description !== undefined) expect(op.description).toMatch(/[.`]$/);
  });

  test("has a path below /v1, or is a health check", () => {
    for (const path of [op.path, ...(op.aliases ?? [])]) expect(path).toMatch(/^(\/health|\/v1\/)/);
  });

  test("takes its path parameters from required identifiers of the input", () => {
    for (const parameter of pathParameters(op.path)) {
      const field = op.input.shape[parameter] as z.ZodType | undefined;
      expect(field, parameter).toBeInstanceOf(z.ZodString);
      expect(field?.safeParse("a/b").success, parameter).toBe(false);
    }
  });

  test("refuses unknown fields", () => {
    const issues = op.input.safeParse({ unheardOf: 1 }).error?.issues ?? [];
    expect(issues.map((issue) => issue.code)).toContain("unrecognized_keys");
  });

  test("can be called without a body where fields travel in the query", () => {
    if (inputPlacement(op) === "body") return;
    for (const [field, schema] of Object.entries(op.input.shape)) expect(isScalar(schema), field).toBe(true);
  });

  test("puts a DELETE's fields into a body only on purpose", () => {
    if (op.inputIn !== undefined) expect(op.method).toBe("DELETE");
  });

  test("knows the codes it answers with and names each once", () => {
    for (const code of [...op.errors, ...commonErrors(op)]) expect(ERROR_CODES).toContain(code);
    expect(new Set(op.errors).size).toBe(op.errors.length);
  });

  test("answers 404 where a caller can name something that does not exist", () => {
    if (pathParameters(op.path).length === 0 || SATISFIED_WITHOUT.has(name)) return;
    expect([...op.errors, ...commonErrors(op)]).toContain("NOT_FOUND");
  });

  test("waits exactly where it takes waitMs", () => {
    expect(op.waits ?? false).toBe("waitMs" in op.input.shape);
    const accepted = unwrapped(op.input.shape.waitMs) as z.ZodType | undefined;
    if (op.waits) expect(accepted?.safeParse(LIMITS.waitMaxMs + 1).success).toBe(false);
  });

  test("takes an idempotency key on POST only, and only reads change nothing by nature", () => {
    if (op.idempotency === "key") expect(op.method).toBe("POST");
    if (op.method === "GET") expect(op.idempotency).toBe("natural");
    if (op.idempotency === "key") expect(commonErrors(op)).toContain("CONFLICT");
  });

  test("answers 200 to a read", () => {
    if (op.method === "GET") expect(op.status).toBe(200);
  });
});

test("identifiers are up to 128 characters", () => {
  expect("a".repeat(LIMITS.identifierLength)).toMatch(IDENTIFIER_PATTERN);
  expect("a".repeat(LIMITS.identifierLength + 1)).not.toMatch(IDENTIFIER_PATTERN);
});
