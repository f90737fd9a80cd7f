import { z } from "zod";

const encoder = new TextEncoder();

/** UTF-8 length of `value`. Short strings are bounded without encoding them, which keeps this off the hot path. */
export function utf8Length(value: string): number {
  return encoder.encode(value).length;
}

function fits(value: string, maxBytes: number): boolean {
  // A UTF-16 unit never takes more than three UTF-8 bytes.
  return value.length * 3 <= maxBytes || (value.length <= maxBytes && utf8Length(value) <= maxBytes);
}

/**
 * Text of `min` to `maxBytes` UTF-8 bytes. With `min` 1 (the default) whitespace alone counts as empty.
 * NUL and lone surrogates are refused: neither survives every store and every client unchanged.
 */
export function text(maxBytes: number, min: 0 | 1 = 1) {
  const expected = `expected ${min === 1 ? `1 to ${maxBytes}` : `at most ${maxBytes}`} bytes of text`;
  const problem = (value: string): string | undefined => {
    if (!fits(value, maxBytes)) return `${expected}, got ${utf8Length(value)}`;
    if (min === 1 && value.trim() === "") return `${expected}, not blank`;
    if (value.includes("\u0000")) return "must not contain the NUL character";
    if (!value.isWellFormed()) return "must be well-formed Unicode";
    return undefined;
  };
  return z
    .string({ error: expected })
    .check((ctx) => {
      const message = problem(ctx.value);
      if (message !== undefined) ctx.issues.push({ code: "custom", input: ctx.value, message });
    })
    .meta({ ...(min === 1 ? { minLength: 1, pattern: "\\S" } : {}), maxLength: maxBytes, "x-maxBytes": maxBytes });
}
