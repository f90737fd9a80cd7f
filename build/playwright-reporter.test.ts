import type { TestCase } from "@playwright/test/reporter";
import { expect, test } from "vitest";
import { countSpecs } from "./playwright-reporter.ts";

function spec(outcome: ReturnType<TestCase["outcome"]>, runs = 1): Pick<TestCase, "outcome" | "results"> {
  return { outcome: () => outcome, results: Array.from({ length: runs }) as TestCase["results"] };
}

test("counts single tests; one that passed only at its second try is a failure", () => {
  const specs = [spec("expected"), spec("expected"), spec("unexpected"), spec("flaky", 2), spec("skipped")];
  expect(countSpecs(specs, 0)).toEqual({ passed: 2, failed: 2, skipped: 1 });
});

test("counts errors outside of tests, and tests that never ran", () => {
  expect(countSpecs([spec("expected", 0)], 2)).toEqual({ passed: 0, failed: 3, skipped: 0 });
});
