// Prints the one line other programs read: "N passed, N failed". Vitest's own closing lines are made for people and change
// between versions.
import process from "node:process";
import type { Reporter, TestModule } from "vitest/node";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Counts single tests; a file that could not be loaded counts as one failure, and so does an error outside of any test. */
export function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const counts = { passed: 0, failed: unhandledErrors, skipped: 0 };
  for (const module of modules) {
    let failedTests = 0;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") counts.passed += 1;
      else if (state === "skipped") counts.skipped += 1;
      // "pending" here means the run ended before the test did: that is not a success.
      else failedTests += 1;
    }
    // A broken file or hook fails the module without failing a test.
    counts.failed += failedTests > 0 || module.state() !== "failed" ? failedTests : 1;
  }
  return counts;
}

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped } = countTests(modules, unhandledErrors.length);
    process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
  }
}
