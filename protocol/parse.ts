import type { z } from "zod";
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
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap((issue) => describe(issue, schema));
  const first = issues[0] as InputIssue;
  throw new IntercomError("INVALID_ARGUMENT", first.field === "" ? first.problem : `${first.field}: ${first.problem}`, {
    issues: issues.slice(0, 10),
  });
}

function describe(issue: z.core.$ZodIssue, schema: z.ZodType): InputIssue[] {
  const field = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const known = issue.path.length === 0 && "shape" in schema ? Object.keys(schema.shape as object) : [];
    const expected = known.length > 0 ? `; expected ${known.join(", ")}` : "";
    return issue.keys.map((key) => ({
      field: [...issue.path.map(String), key].join("."),
      problem: `unknown field${expected}`,
    }));
  }
  if (issue.code === "invalid_type" && issue.input === undefined) return [{ field, problem: "is required" }];
  return [{ field, problem: issue.message }];
}
