import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Exchange, type JsonReport, profileNamed, runProfile, toJson } from "../../../conformance/index.ts";
import { keyCases } from "../../../conformance/profiles/agent-intercom-1/key-cases.ts";
import { naturalCases } from "../../../conformance/profiles/agent-intercom-1/natural-cases.ts";
import { type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import { pauseOf } from "../../fixtures/target-clock.ts";
import { addressFor } from "../../fixtures/targets.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { notYet } from "./not-yet.ts";
import { ROUTES_0_1 } from "./routes-0.1.ts";

const PATIENCE_MS = 120_000;

/** Operations no check calls, and why. */
const NOT_CALLED: Partial<Record<OperationName, string>> = {
  shutdown: "it would end the target in the middle of the run",
};

let intercom: TestDaemon;
beforeAll(async () => {
  intercom = await TestDaemon.start({ octoberBusPort: 0 });
});
afterAll(async () => {
  await intercom.close();
});

async function run(name: string, onExchange?: (exchange: Exchange) => void): Promise<JsonReport> {
  const profile = profileNamed(name);
  if (!profile) throw new Error(`No profile ${name}`);
  const { adminToken } = intercom;
  const address = addressFor(intercom, profile.protocol);
  const report = await runProfile(profile, { address, adminToken, pause: pauseOf(intercom), onExchange });
  expect(report.outcomes.map(({ check }) => check)).toEqual(profile.checks.map((check) => check.name));
  return toJson(report);
}

describe.each(["local-0.1", "agent-intercom-1"])("%s", (name) => {
  test("passes, but for what is not there yet, and leaves nothing behind", { timeout: PATIENCE_MS }, async () => {
    const calls = new Set<string>();
    const report = await run(name, ({ method, template }) => calls.add(`${method} ${template}`));
    expect(report.failed.filter(({ check }) => !notYet[name]?.includes(check))).toEqual([]);
    expect(report.failed.map(({ check }) => check)).toEqual(notYet[name]);
    expect(report.skipped).toEqual([]);
    expect(report.leftovers).toEqual([]);
    expect(await intercom.admin.call("listScopes", {})).toEqual([]);
    if (name !== "agent-intercom-1") return;
    const missing = additions().filter((each) => !calls.has(routeOf(each)) && !NOT_CALLED[each]);
    expect(missing).toEqual([]);
  });
});

/** Operations of the table that October Bus 0.1 does not have. */
function additions(): OperationName[] {
  return operationNames.filter((name) => !ROUTES_0_1.includes(routeOf(name).replace(/\{\w+\}/g, "{}")));
}

function routeOf(name: OperationName): string {
  const { method, path } = operationOf(name);
  return `${method} ${path}`;
}

test("the list of routes of 0.1 names routes that exist", () => {
  const known = operationNames.map((name) => routeOf(name).replace(/\{\w+\}/g, "{}"));
  expect(ROUTES_0_1.filter((route) => !known.includes(route))).toEqual([]);
  expect(additions().length).toBeGreaterThan(20);
});

test("every operation that can be repeated has a case", () => {
  const of = (idempotency: string) => operationNames.filter((name) => operationOf(name).idempotency === idempotency);
  expect(of("key").filter((name) => !keyCases[name])).toEqual([]);
  const natural = of("natural").filter((name) => operationOf(name).method !== "GET");
  expect(natural.filter((name) => !naturalCases[name] && !NOT_CALLED[name])).toEqual([]);
});
