import { z } from "zod";
import { LIMITS } from "./limits.ts";
import { text } from "./text.ts";

/** Whole number from `min` to `max`, with a message that says so. */
export function integer(min: number, max: number) {
  const error = `expected a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `expected one of ${values.join(", ")}` });
}

export const flag = z.boolean({ error: "expected true or false" });

/** How long a call may stay open until there is something to say; 0 answers at once. */
export const waitMs = integer(0, LIMITS.waitMaxMs).optional();

/** `limit` and `after` of a list that is read forwards. */
export const forwardPage = {
  limit: integer(1, LIMITS.pageMax).optional(),
  after: text(512, 0).optional(),
};

/** `limit` and `before` of a list that is read newest first. */
export const backwardPage = {
  limit: integer(1, LIMITS.messagePageMax).optional(),
  before: text(512, 0).optional(),
};

/** Opaque position to hand back as `after` or `before`; absent on the last page. */
export const nextCursor = z.string().optional();

/** Array of at most `max` strings that is read as a set: naming one twice is the same as naming it once. */
export function setOf<T extends z.ZodType<string>>(item: T, max: number) {
  return z
    .array(item, { error: `expected a list of at most ${max} entries` })
    .max(max, { error: `expected at most ${max} entries` });
}
