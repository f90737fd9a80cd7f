import { z } from "zod";
import { IntercomError } from "./errors.ts";

/** One thing that is wrong with an input. */
export interface InputIssue {
  /** Dotted path of the field, empty for the input as a whole. */
  readonly field: string;
  readonly problem: string;
}

/**
 * Parses data from outside the process.
 * @throws {IntercomError} `INVALID_ARGUMENT`; the message names the first bad field, `details.issues` all of them.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  // Only with the reported input can a missing field be told from one of the wrong type.
  const result = schema.safeParse(data, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap((issue) => describe(issue, schema));
  const first = issues[0] as InputIssue;
  throw new IntercomError("INVALID_ARGUMENT", first.field === "" ? first.problem : `${first.field}: ${first.problem}`, {
    issues: issues.slice(0, 10),
  });
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): InputIssue[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const expected = knownFields(schema, path).join(", ") || "no fields";
    return issue.keys.map((key) => ({
      field: [...path, key].join("."),
      problem: `unknown field; expected ${expected}`,
    }));
  }
  const field = path.join(".");
  // Schemas without a message of their own speak zod's: "Invalid input: expected object, received array".
  const problem = issue.message.replace(/^Invalid input: /, "");
  const missing = issue.input === undefined && (issue.code === "invalid_type" || issue.code === "invalid_value");
  return [{ field, problem: missing ? `is required; ${problem.replace(/, received undefined$/, "")}` : problem }];
}

/** Names of the fields an object inside `schema` may have. */
function knownFields(schema: z.ZodType, path: readonly string[]): string[] {
  let current: unknown = schema;
  for (const key of path) {
    current = unwrap(current);
    if (current instanceof z.ZodArray) current = current.element;
    else if (current instanceof z.ZodObject) current = (current.shape as Record<string, unknown>)[key];
  }
  current = unwrap(current);
  return current instanceof z.ZodObject ? Object.keys(current.shape) : [];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable ? unwrap(schema.unwrap()) : schema;
}
