import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { CheckFailure } from "./failure.ts";

/** Stands for "any value of this kind" in a pattern for {@link matches}. */
export class Any {
  readonly what: string;
  readonly accepts: (value: unknown) => boolean;

  constructor(what: string, accepts: (value: unknown) => boolean) {
    this.what = what;
    this.accepts = accepts;
  }

  toJSON(): string {
    return `<${this.what}>`;
  }
}

export const anyText = new Any("text", (value) => typeof value === "string" && value !== "");
export const absent = new Any("absent", (value) => value === undefined);

/** @throws {CheckFailure} unless both are deeply equal */
export function equal(what: string, got: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(got, expected)) throw new CheckFailure(`${what} is wrong`, { expected, got });
}

/** @throws {CheckFailure} unless they differ */
export function different(what: string, got: unknown, other: unknown): void {
  if (isDeepStrictEqual(got, other)) {
    throw new CheckFailure(`${what} did not change`, { expected: `another value than ${JSON.stringify(other)}`, got });
  }
}

/**
 * Compares with a pattern: objects need the fields of the pattern and may have more, lists have exactly its entries.
 * @throws {CheckFailure} that names the first place where they differ
 */
export function matches(what: string, got: unknown, pattern: unknown): void {
  const place = mismatch(got, pattern, "");
  if (place !== undefined) {
    throw new CheckFailure(`${what} is wrong${place === "" ? "" : ` at ${place}`}`, { expected: pattern, got });
  }
}

/** @throws {CheckFailure} unless `condition` */
export function holds(what: string, condition: boolean, facts: { expected: unknown; got: unknown }): void {
  if (!condition) throw new CheckFailure(`${what} is wrong`, facts);
}

/** Reads a value of a certain shape. @throws {CheckFailure} that names the first field which is not as it should be */
export function read<T extends z.ZodType>(what: string, got: unknown, shape: T): z.output<T> {
  const parsed = shape.safeParse(got);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join(".") ?? "";
  throw new CheckFailure(`${what} has another shape than documented${field === "" ? "" : `, at ${field}`}`, {
    expected: issue?.message ?? "another shape",
    got,
  });
}

/** Path of the first difference, undefined when there is none. */
function mismatch(got: unknown, pattern: unknown, at: string): string | undefined {
  if (pattern instanceof Any) return pattern.accepts(got) ? undefined : at;
  if (Array.isArray(pattern)) {
    if (!Array.isArray(got) || got.length !== pattern.length) return at;
    return first(pattern.map((entry, index) => mismatch(got[index], entry, join(at, String(index)))));
  }
  if (typeof pattern !== "object" || pattern === null) return Object.is(got, pattern) ? undefined : at;
  if (typeof got !== "object" || got === null || Array.isArray(got)) return at;
  return first(
    Object.entries(pattern).map(([name, entry]) =>
      mismatch((got as Record<string, unknown>)[name], entry, join(at, name)),
    ),
  );
}

function first(places: readonly (string | undefined)[]): string | undefined {
  return places.find((place) => place !== undefined);
}

function join(at: string, name: string): string {
  return at === "" ? name : `${at}.${name}`;
}
