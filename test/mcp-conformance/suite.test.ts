import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLogger, type LogRecord } from "../../daemon/runtime/logger.ts";
import { startFixture } from "./fixture/server.ts";
import { areInstalled, programFile, SUITE } from "./installed.ts";
import { type Outcome, runProgram } from "./run-program.ts";
import { type Check, requirementsOf, resultsIn } from "./scenarios.ts";

/** The official suite against our door, with a server behind it that has what the suite asks for. */

/** What is left out on purpose; docs/conformance.md says why. */
const LEFT_OUT = ["server-sse-polling", /^tasks-/];
const isLeftOut = (scenario: string) =>
  LEFT_OUT.some((each) => (typeof each === "string" ? each === scenario : each.test(scenario)));

describe.skipIf(!areInstalled).each(["2025-11-25", "2026-07-28"])("the official suite for %s", (revision) => {
  const { required, notScored } = areInstalled ? requirementsOf(revision) : { required: [], notScored: [] };
  const logged: LogRecord[] = [];
  let home: string;
  let run: Outcome;
  let results: Map<string, readonly Check[]>;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "intercom-suite-"));
    const logger = createLogger({ level: "warn", sinks: [{ write: (record) => void logged.push(record) }] });
    const fixture = await startFixture(logger);
    try {
      const folder = join(home, "results");
      const args = ["server", "--url", fixture.url, "--requirements", revision, "--output-dir", folder];
      run = await runProgram(programFile(SUITE, "conformance"), args, home);
      results = resultsIn(folder);
    } finally {
      await fixture.close();
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test.each([...required, ...notScored.filter((scenario) => !isLeftOut(scenario))])("%s passes", (scenario) => {
    const checks = results.get(scenario) ?? [];
    expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
    expect(checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")).toEqual([]);
  });

  test("all that is required passes by its own count, and nothing goes wrong behind the door", () => {
    expect(required.length).toBeGreaterThanOrEqual(30);
    expect(run.stdout).toMatch(/^Total: \d+ passed/m);
    expect(run).toMatchObject({ code: 0 });
    expect(logged).toEqual([]);
  });
});
