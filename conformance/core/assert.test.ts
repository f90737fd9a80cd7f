import { expect, test } from "vitest";
import { z } from "zod";
import { absent, anyText, different, equal, holds, matches, read } from "./assert.ts";
import { CheckFailure } from "./failure.ts";

function failureOf(work: () => unknown): CheckFailure {
  try {
    work();
  } catch (error) {
    if (error instanceof CheckFailure) return error;
    throw error;
  }
  throw new Error("Nothing failed");
}

test("matches allows more fields, and no more entries", () => {
  matches("x", { a: 1, b: { c: [1, { d: 2, e: 3 }] } }, { b: { c: [1, { d: 2 }] } });
  matches("x", { a: "text" }, { a: anyText, b: absent });
  expect(() => matches("x", [1, 2], [1])).toThrow(CheckFailure);
  expect(() => matches("x", { a: [] }, { a: {} })).toThrow(CheckFailure);
  expect(() => matches("x", null, {})).toThrow(CheckFailure);
});

test("matches names the first place that differs", () => {
  const got = { list: [{ id: "a" }, { id: "b" }] };
  const failure = failureOf(() => matches("the list", got, { list: [{ id: "a" }, { id: "c" }] }));
  expect(failure).toMatchObject({ message: "the list is wrong at list.1.id", got });
  expect(failureOf(() => matches("it", { a: "" }, { a: anyText })).message).toBe("it is wrong at a");
  expect(failureOf(() => matches("it", { a: 1 }, { a: absent })).message).toBe("it is wrong at a");
});

test("a pattern in a report reads as words", () => {
  expect(JSON.stringify({ at: anyText, not: absent })).toBe('{"at":"<text>","not":"<absent>"}');
});

test("equal, different and holds tell what was expected", () => {
  equal("x", { a: [1] }, { a: [1] });
  expect(failureOf(() => equal("x", { a: 1, b: 2 }, { a: 1 }))).toMatchObject({
    expected: { a: 1 },
    got: { a: 1, b: 2 },
  });
  different("x", 1, 2);
  expect(failureOf(() => different("the token", "t", "t")).message).toBe("the token did not change");
  holds("x", true, { expected: 1, got: 1 });
  expect(failureOf(() => holds("x", false, { expected: "more", got: 0 }))).toMatchObject({ expected: "more", got: 0 });
});

test("read names the field that has another shape", () => {
  const shape = z.looseObject({ list: z.array(z.looseObject({ id: z.string() })) });
  expect(read("x", { list: [{ id: "a", more: 1 }] }, shape)).toEqual({ list: [{ id: "a", more: 1 }] });
  const failure = failureOf(() => read("the answer", { list: [{ id: 1 }] }, shape));
  expect(failure.message).toBe("the answer has another shape than documented, at list.0.id");
});
