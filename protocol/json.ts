import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Containers inside containers, above which a value is refused: what reads it should not run out of stack. */
const MAX_DEPTH = 64;

/** What keeps a value from surviving every store and client unchanged, or undefined. */
function problemOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") {
    if (value.includes("\u0000")) return "must not contain the NUL character";
    return value.isWellFormed() ? undefined : "must be well-formed Unicode";
  }
  // `1e999` is JSON, but reads as infinity, which no JSON can say again.
  if (typeof value === "number" && !Number.isFinite(value)) return "expected numbers within the range of a double";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= MAX_DEPTH) return `expected at most ${MAX_DEPTH} levels of nesting`;
  for (const [key, entry] of Object.entries(value)) {
    const problem = problemOf(key, depth) ?? problemOf(entry, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Any JSON but null. */
export const jsonValue = z
  .unknown()
  .check((ctx) => {
    const message =
      ctx.value === null || ctx.value === undefined ? "expected a value other than null" : problemOf(ctx.value, 0);
    if (message !== undefined) ctx.issues.push({ code: "custom", input: ctx.value, message });
  })
  .meta({ not: { type: "null" } });
