import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type JsonReport, profileNamed } from "../../../conformance/index.ts";
import { SystemClock } from "../../../daemon/engine/index.ts";
import { addressFor } from "../../fixtures/targets.ts";
import { CliHome } from "../../support/cli.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { notYet } from "./not-yet.ts";

/** A profile is a hundred calls and more, each of them to disk. */
const PATIENCE_MS = 60_000;
const LOCAL = "local-0.1";
const expectedCode = notYet[LOCAL]?.length === 0 ? 0 : 1;

let intercom: TestDaemon;
let home: CliHome;
beforeAll(async () => {
  // The command lets time pass by waiting.
  intercom = await TestDaemon.start({ clock: new SystemClock(), octoberBusPort: 0 });
});
afterAll(async () => {
  await intercom.close();
});
beforeEach(() => {
  home = new CliHome();
});
afterEach(async () => {
  await home.close();
});

function guests(): string {
  return addressFor(intercom, "october-bus");
}

function names(report: JsonReport): string[] {
  return [...report.passed, ...report.failed.map(({ check }) => check)];
}

describe("conformance", () => {
  test("examines what --url names, with the token of a variable", { timeout: PATIENCE_MS }, async () => {
    const args = ["conformance", "--url", guests(), "--admin-token-env", "TARGET_TOKEN"];
    const env = { TARGET_TOKEN: intercom.adminToken };
    const outcome = await home.call([...args, "--format", "json"], { env });
    expect(outcome.code).toBe(expectedCode);
    const report = outcome.json<JsonReport>();
    expect(report.failed.map(({ check }) => check)).toEqual(notYet[LOCAL]);
    expect(names(report).sort()).toEqual(
      profileNamed(LOCAL)
        ?.checks.map(({ name }) => name)
        .sort(),
    );
    expect(report).toMatchObject({ profile: LOCAL, startedAt: expect.any(String), completedAt: expect.any(String) });
    expect(outcome.stdout + outcome.stderr).not.toContain(intercom.adminToken);
  });

  test("examines the daemon of this user and prints text", { timeout: PATIENCE_MS }, async () => {
    const { runtimeDir } = intercom.daemon.directories;
    const outcome = await home.call(["conformance", "--runtime-dir", runtimeDir, "--profile", LOCAL]);
    expect(outcome.code).toBe(expectedCode);
    expect(outcome.stdout).toContain("PASS scope-authority\n");
    expect(outcome.stdout).toMatch(/^local-0\.1: \d+ passed, \d+ failed in \d+\.\d s \(protocol /m);
    for (const check of notYet[LOCAL] ?? []) expect(outcome.stdout).toContain(`FAIL ${check}: `);
    expect(outcome.stdout).not.toContain(intercom.adminToken);
  });

  test("examines a daemon of its own, of which nothing is left", { timeout: PATIENCE_MS }, async () => {
    const temporary = mkdtempSync(join(tmpdir(), "intercom-conformance-test-"));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    try {
      const outcome = await home.call(["conformance", "--start", "--profile", LOCAL, "--format", "junit"]);
      expect(outcome.code).toBe(expectedCode);
      expect(outcome.stdout).toContain('<testsuite name="local-0.1" tests="23"');
      expect(readdirSync(temporary)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(temporary, { recursive: true, force: true });
    }
  });

  test("ends with 1 when a check fails, and says which", async () => {
    const target = ["conformance", "--url", guests(), "--admin-token-env", "TARGET_TOKEN"];
    const env = { TARGET_TOKEN: "the-token-of-another-daemon" };
    const outcome = await home.call([...target, "--profile", LOCAL], { env });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toContain("FAIL scope-authority: The call did not succeed");
    expect(outcome.stdout).toContain("FAIL registration-and-peer-link: Needs the scope, which scope-authority should");
    expect(outcome.stdout).not.toContain("the-token-of-another-daemon");
  });

  test("--timeout ends a profile, --json means --format json", async () => {
    const args = ["--json", "conformance", "--start", "--profile", LOCAL, "--timeout", "1ms"];
    const outcome = await home.call(args);
    expect(outcome.code).toBe(1);
    const { passed, failed } = outcome.json<JsonReport>();
    expect(passed).toEqual([]);
    expect(failed.at(-1)?.error).toBe("The profile was to end within 0.001 s");
  });

  test.each([
    [["--profile", "local-9"], 2, "There is no profile local-9."],
    [["--start", "--url", "http://127.0.0.1:1"], 2, "--start examines a daemon of its own"],
    [["--start", "--check-self-registration"], 2, "--check-self-registration needs --start and --adapter-command."],
    [["--url", "http://127.0.0.1:1", "--admin-token-env", "NOT_SET"], 2, "The variable NOT_SET"],
    [["--url", "http://127.0.0.1:1", "--admin-token-env", "PATH"], 3, "No answer from http://127.0.0.1:1"],
    [["--format", "xml"], 2, "Allowed choices are text, json, junit"],
    [["--url", "http://127.0.0.1:1"], 6, "There is no admin credential"],
    [[], 3, "The daemon is not running."],
  ])("%j is refused with %i", async (args, code, message) => {
    const outcome = await home.call(["conformance", ...args]);
    expect(outcome.stderr).toContain(message);
    expect(outcome.code).toBe(code);
    expect(outcome.stdout).toBe("");
  });

  test("an agent's shell cannot use its owner's credential", async () => {
    const { runtimeDir } = intercom.daemon.directories;
    const env = { AGENT_INTERCOM_AGENT_TOKEN: "the-token-of-an-agent" };
    const outcome = await home.call(["conformance", "--runtime-dir", runtimeDir], { env });
    expect(outcome.code).toBe(6);
    expect(outcome.stderr).toContain("This is for the owner");
  });
});
