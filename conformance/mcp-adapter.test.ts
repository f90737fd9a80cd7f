import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { pauseOf } from "../test/fixtures/target-clock.ts";
import { addressFor } from "../test/fixtures/targets.ts";
import { TestDaemon } from "../test/support/daemon.ts";
import { type JsonReport, runProfile, toJson } from "./index.ts";
import { mcpAdapter01 } from "./profiles/mcp-adapter-0.1/profile.ts";

const ADAPTER = fileURLToPath(new URL("../test/fixtures/scripted-adapter.ts", import.meta.url));
/** A run takes some seconds of waiting for heartbeats and processes. */
const PATIENCE_MS = 60_000;

const ALL = mcpAdapter01.checks.map(({ name }) => name);
const OPTIONAL = "self-registering-stdio-lifecycle";

/** Runs the profile on a daemon of its own. */
async function run(fault: string, options: { selfRegistration?: boolean } = {}): Promise<JsonReport> {
  const intercom = await TestDaemon.start({ octoberBusPort: 0 });
  const address = addressFor(intercom, mcpAdapter01.protocol);
  try {
    const { dataDir, runtimeDir } = intercom.daemon.directories;
    const leak = fault === "leaks-credential" ? [`--leak=${intercom.adminToken}`] : [];
    const report = await runProfile(mcpAdapter01, {
      address,
      adminToken: intercom.adminToken,
      adapter: { command: process.execPath, args: [ADAPTER, "--fault", fault, "--address", address, ...leak] },
      pause: pauseOf(intercom),
      ...(options.selfRegistration ? { selfRegistration: { dataDir, runtimeDir } } : {}),
    });
    expect(report.leftovers).toEqual([]);
    expect(JSON.stringify(report)).not.toContain(intercom.adminToken);
    return toJson(report);
  } finally {
    await intercom.close();
  }
}

test("an adapter that keeps the rules passes every check", { timeout: PATIENCE_MS }, async () => {
  const report = await run("none", { selfRegistration: true });
  expect(report.failed).toEqual([]);
  expect(report.passed).toEqual(ALL);
});

test("what was not asked for is skipped, and says so", { timeout: PATIENCE_MS }, async () => {
  const report = await run("none");
  expect(report.passed).toEqual(ALL.filter((name) => name !== OPTIONAL));
  expect(report.skipped).toEqual([{ check: OPTIONAL, reason: expect.stringContaining("--check-self-registration") }]);
});

const FAULTS = {
  "fourteen-tools": ["adapter-start-and-execution-identity"],
  "wrong-identity": ["adapter-start-and-execution-identity"],
  "stale-status": ["external-heartbeat"],
  "no-long-poll": ["long-poll-delivery"],
  "lists-itself": ["exact-peer-discovery"],
  "does-not-acknowledge": ["durable-messaging-and-acknowledgement"],
  "drops-correlation": ["correlated-request-and-response"],
  "no-idempotency": ["idempotent-send"],
  "drops-context": ["bounded-context"],
  "claims-what-is-blocked": ["shared-task-lifecycle"],
  "answers-for-the-human": ["human-escalation-boundary"],
  "goes-on-after-replacement": ["execution-replacement"],
  "leaks-credential": ["credential-isolation"],
} as const;

describe("an adapter with one fault", () => {
  test.each(Object.entries(FAULTS))("%s", { timeout: PATIENCE_MS }, async (fault, expected) => {
    const report = await run(fault);
    expect(report.failed).toMatchObject(expected.map((check) => ({ check })));
    for (const failure of report.failed) {
      expect(failure.error).not.toBe("");
      expect(failure.expected).not.toBeNull();
      expect(failure).not.toHaveProperty("because");
    }
  });

  test("does-not-retire", { timeout: PATIENCE_MS }, async () => {
    const report = await run("does-not-retire", { selfRegistration: true });
    expect(report.failed).toMatchObject([{ check: OPTIONAL }]);
  });
});

test("without an adapter nothing crashes", { timeout: PATIENCE_MS }, async () => {
  const intercom = await TestDaemon.start();
  try {
    const { address, adminToken } = intercom;
    const broken = { command: "/no/such/program", args: [] };
    const report = toJson(
      await runProfile(mcpAdapter01, { address, adminToken, adapter: broken, pause: pauseOf(intercom) }),
    );
    const start = report.failed.find(({ check }) => check === "adapter-start-and-execution-identity");
    expect(start?.got).toContain("could not be started");
    const dependent = report.failed.find(({ check }) => check === "idempotent-send");
    expect(dependent?.because).toBe("adapter-start-and-execution-identity");
  } finally {
    await intercom.close();
  }
});
