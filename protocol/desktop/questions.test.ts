import { expect, it } from "vitest";
import { morningIn } from "./questions.ts";

it.each([
  [new Date(2026, 4, 5, 0, 0, 0), new Date(2026, 4, 6, 9, 0, 0)],
  [new Date(2026, 4, 5, 23, 59, 59), new Date(2026, 4, 6, 9, 0, 0)],
  [new Date(2026, 11, 31, 9, 0, 0), new Date(2027, 0, 1, 9, 0, 0)],
])("tomorrow, asked for at %s, is nine in the morning of the next day", (now, expected) => {
  expect(morningIn(1, now.getTime())).toBe(expected.getTime());
});
