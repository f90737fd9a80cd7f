import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { text, utf8Length } from "./text.ts";

const MAX = 24;
const required = text(MAX);
const optional = text(MAX, 0);
const accepts = (schema: typeof required, value: unknown) => schema.safeParse(value).success;
const problem = (schema: typeof required, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

/** One character of each UTF-8 length. */
const CHARACTERS = ["a", "é", "€", "😀"] as const;

describe("utf8Length", () => {
  test("is what goes over the wire", () => {
    expect(CHARACTERS.map(utf8Length)).toEqual([1, 2, 3, 4]);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(utf8Length(value)).toBe(Buffer.byteLength(value, "utf8"));
      }),
    );
  });
});

describe("text", () => {
  test.each(CHARACTERS)("takes exactly its limit in bytes of %s and not one more", (character) => {
    const size = utf8Length(character);
    const full = character.repeat(MAX / size);
    expect(utf8Length(full)).toBe(MAX);
    expect(accepts(required, full)).toBe(true);
    expect(accepts(required, `${full}a`)).toBe(false);
    expect(problem(required, `${full}a`)).toBe(`expected 1 to ${MAX} bytes of text, got ${MAX + 1}`);
  });

  test("agrees with the encoded length for any well-formed text", () => {
    const some = fc.string({ unit: fc.constantFrom(...CHARACTERS, " "), maxLength: MAX + 1 });
    fc.assert(
      fc.property(some, (value) => {
        const fits = Buffer.byteLength(value, "utf8") <= MAX;
        expect(accepts(optional, value)).toBe(fits);
        expect(accepts(required, value)).toBe(fits && value.trim() !== "");
      }),
    );
  });

  test("takes white space alone for empty, where something is required", () => {
    const blank = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\u00a0", "\u2003", "\ufeff"), maxLength: 8 });
    fc.assert(
      fc.property(blank, (value) => {
        expect(accepts(required, value)).toBe(false);
        expect(accepts(optional, value)).toBe(true);
      }),
    );
    expect(problem(required, " ")).toBe(`expected 1 to ${MAX} bytes of text, not blank`);
  });

  test("refuses NUL and lone surrogates wherever they stand", () => {
    const around = fc.tuple(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(around, fc.constantFrom("\u0000", "\ud800", "\udfff"), ([before, after], bad) => {
        const value = `x${before}${bad}${after}`;
        for (const schema of [required, optional]) expect(accepts(schema, value)).toBe(false);
      }),
    );
    expect(problem(required, "a\u0000b")).toBe("must not contain the NUL character");
    expect(problem(required, "a\ud800b")).toBe("must be well-formed Unicode");
    expect(accepts(required, "\ud83d\ude00")).toBe(true);
  });

  test("keeps what it takes unchanged", () => {
    expect(required.parse(" padded ")).toBe(" padded ");
  });

  test.each([[5], [null], [["a"]], [{}], [true]])("refuses %j, saying what it expected", (value) => {
    expect(problem(required, value)).toBe(`expected 1 to ${MAX} bytes of text`);
    expect(problem(optional, value)).toBe(`expected at most ${MAX} bytes of text`);
  });
});
