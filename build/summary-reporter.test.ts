import { expect, test } from "vitest";
import type { TestModule } from "vitest/node";
import { countTests } from "./summary-reporter.ts";

type TestState = "passed" | "failed" | "skipped" | "pending";

function module(state: "passed" | "failed", tests: TestState[]): TestModule {
  const children = { allTests: () => tests.map((each) => ({ result: () => ({ state: each }) })) };
  return { state: () => state, children } as unknown as TestModule;
}

test("counts single tests; one that never ended is a failure", () => {
  const modules = [
    module("passed", ["passed", "passed", "skipped"]),
    module("failed", ["passed", "failed", "pending"]),
  ];
  expect(countTests(modules, 0)).toEqual({ passed: 3, failed: 2, skipped: 1 });
});

test("counts a file that could not be loaded, and errors outside of tests", () => {
  expect(countTests([module("failed", [])], 2)).toEqual({ passed: 0, failed: 3, skipped: 0 });
});
