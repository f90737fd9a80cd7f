// The closing line of summary-reporter.ts for Playwright: "N passed, N failed".
import process from "node:process";
import type { FullResult, Reporter, Suite, TestCase, TestError } from "@playwright/test/reporter";

/** Counts single tests; errors outside of any test count as one failure each. A test that passed late is a failure. */
export function countSpecs(tests: readonly Pick<TestCase, "outcome" | "results">[], errors: number) {
  const counts = { passed: 0, failed: errors, skipped: 0 };
  for (const test of tests) {
    const outcome = test.outcome();
    if (outcome === "skipped") counts.skipped += 1;
    // A test without a result was never run: the run ended before.
    else if (outcome === "expected" && test.results.length > 0) counts.passed += 1;
    else counts.failed += 1;
  }
  return counts;
}

export default class SummaryReporter implements Reporter {
  #suite: Suite | undefined;
  #errors = 0;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onError(_error: TestError): void {
    this.#errors += 1;
  }

  onEnd({ status }: FullResult): void {
    const { passed, failed, skipped } = countSpecs(this.#suite?.allTests() ?? [], this.#errors);
    // An interrupted or timed-out run is none that passed, even if every test that ran did.
    const failures = failed === 0 && status !== "passed" ? 1 : failed;
    process.stdout.write(`${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
