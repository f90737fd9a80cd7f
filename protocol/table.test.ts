import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  commonErrors,
  ERROR_CODES,
  IDENTIFIER_PATTERN,
  inputPlacement,
  LIMITS,
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
const SATISFIED_WITHOUT = new Set<string>(["deleteScope", "releaseInbox", "endUiSession"]);

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

describe("every operation", () => {
  test("has a name that is a plain identifier", () => {
    for (const name of operationNames) expect(name).toMatch(/^[a-z][A-Za-z0-9]+$/);
  });

  test("says in one line what it does", () => {
    for (const [name, op] of table) {
      expect(op.summary, name).toMatch(/^[A-Z].*[^.]$/);
      expect(op.summary.length, name).toBeLessThanOrEqual(100);
      if (op.description !== undefined) expect(op.description, name).toMatch(/\.$/);
    }
  });

  test("has a path below one of the doors' own", () => {
    for (const [, op] of table) {
      for (const path of [op.path, ...(op.aliases ?? [])])
        expect(path).toMatch(/^(\/health|\/v1\/|\/outputs\/|\/a2a\/)/);
    }
  });

  test("takes its path parameters from required identifiers of the input", () => {
    for (const [name, op] of table) {
      for (const parameter of pathParameters(op.path)) {
        const field = op.input.shape[parameter] as z.ZodType | undefined;
        expect(field, `${name} ${parameter}`).toBeInstanceOf(z.ZodString);
        expect(field?.safeParse("a/b").success, `${name} ${parameter}`).toBe(false);
      }
    }
  });

  test("refuses unknown fields", () => {
    for (const [name, op] of table) {
      const issues = op.input.safeParse({ unheardOf: 1 }).error?.issues ?? [];
      expect(
        issues.map((issue) => issue.code),
        name,
      ).toContain("unrecognized_keys");
    }
  });

  test("has flat fields that can be read from strings, where they travel in the query", () => {
    const inQuery = table.filter(([, op]) => inputPlacement(op) === "query");
    expect(inQuery.length).toBeGreaterThan(10);
    for (const [name, op] of inQuery) {
      for (const [field, schema] of Object.entries(op.input.shape))
        expect(isScalar(schema), `${name} ${field}`).toBe(true);
    }
  });

  test("says where its input is only for a DELETE with a body", () => {
    for (const [name, op] of table) if (op.inputIn !== undefined) expect(op.method, name).toBe("DELETE");
  });

  test("knows the codes it answers with and names each once", () => {
    for (const [name, op] of table) {
      for (const code of [...op.errors, ...commonErrors(op)]) expect(ERROR_CODES, name).toContain(code);
      expect(new Set(op.errors).size, name).toBe(op.errors.length);
    }
  });

  test("answers NOT_FOUND where a caller can name something that does not exist", () => {
    for (const [name, op] of table) {
      if (pathParameters(op.path).length === 0 || SATISFIED_WITHOUT.has(name)) continue;
      expect([...op.errors, ...commonErrors(op)], name).toContain("NOT_FOUND");
    }
  });

  test("waits exactly where it takes waitMs", () => {
    for (const [name, op] of table) {
      expect(op.waits ?? false, name).toBe("waitMs" in op.input.shape);
      if (!op.waits) continue;
      const accepted = unwrapped(op.input.shape.waitMs) as z.ZodType;
      expect(accepted.safeParse(LIMITS.waitMaxMs).success, name).toBe(true);
      expect(accepted.safeParse(LIMITS.waitMaxMs + 1).success, name).toBe(false);
    }
  });

  test("takes an idempotency key on POST only, and then answers CONFLICT to other content", () => {
    for (const [name, op] of table.filter(([, each]) => each.idempotency === "key")) {
      expect(op.method, name).toBe("POST");
      expect(commonErrors(op), name).toContain("CONFLICT");
    }
  });

  test("reads with GET, which answers 200 and changes nothing", () => {
    for (const [name, op] of table.filter(([, each]) => each.method === "GET")) {
      expect(op.status, name).toBe(200);
      expect(op.idempotency, name).toBe("natural");
    }
  });
});

test("identifiers are up to 128 characters", () => {
  expect("a".repeat(LIMITS.identifierLength)).toMatch(IDENTIFIER_PATTERN);
  expect("a".repeat(LIMITS.identifierLength + 1)).not.toMatch(IDENTIFIER_PATTERN);
});
