import { expect, test } from "vitest";
import { duration, relativeTime } from "./time.ts";

const now = Date.parse("2026-11-30T12:00:00.000Z");
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();

test.each([
  [-3, "now"],
  [-59, "now"],
  [-60, "1 min. ago"],
  [-3599, "59 min. ago"],
  [-7200, "2 hr. ago"],
  [-86_400, "yesterday"],
  [3600, "in 1 hr."],
  [-30 * 86_400, "Oct 31, 2026"],
])("%i seconds off is %j", (seconds, words) => {
  expect(relativeTime(at(seconds), now, "en")).toBe(words);
});

test("times are told in the language of the page", () => {
  expect(relativeTime(at(-7200), now, "de")).toBe("vor 2 Std.");
});

test.each([
  [0, "0 sec"],
  [-5, "0 sec"],
  [59_000, "59 sec"],
  [60_000, "1 min"],
  [8 * 60_000 + 20_000, "8 min"],
  [3_600_000 + 5 * 60_000, "1 hr 5 min"],
  [2 * 86_400_000 + 3_600_000, "2 days 1 hr"],
  [Number.POSITIVE_INFINITY, "0 sec"],
])("%i ms last %j", (ms, words) => {
  expect(duration(ms, "en")).toBe(words);
});
