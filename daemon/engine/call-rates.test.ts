import { describe, expect, it } from "vitest";
import type { Caller } from "../core/index.ts";
import { CallRates } from "./call-rates.ts";

const scope = { no: 1, id: "s", linkPolicy: "open" } as const;
const agent = (agentNo: number, executionNo = 1): Caller => ({
  kind: "agent",
  scope,
  agentNo,
  agentId: "a",
  executionNo,
  executionId: "e",
  leaseExpiresAt: 0,
});
const principal = (principalNo: number): Caller => ({
  kind: "principal",
  scope,
  principalNo,
  principalId: "p",
  resourceNo: 1,
});
const owner: Caller = { kind: "owner", scope, via: "scope" };

function rates(start = 0) {
  const clock = { now: start };
  return { clock, rates: new CallRates(() => clock.now) };
}

const slow = (limit: number, retryAfterSeconds: number) =>
  expect.objectContaining({ code: "BACKPRESSURE", details: { reason: "rate", limit, retryAfterSeconds } });

describe("call rates", () => {
  it("count the minutes of the clock, each caller by itself", () => {
    const { clock, rates: calls } = rates(59_000);
    const rule = { limit: 2, of: ["agent", "principal"] } as const;
    for (const caller of [agent(1), agent(2), principal(1)]) {
      calls.count(rule, caller);
      calls.count(rule, caller);
      expect(() => calls.count(rule, caller)).toThrow(slow(2, 1));
    }
    expect(() => calls.count(rule, agent(1, 7))).toThrow(slow(2, 1));
    clock.now = 60_000;
    calls.count(rule, agent(1));
    calls.count(rule, agent(1));
    expect(() => calls.count(rule, agent(1))).toThrow(slow(2, 60));
  });

  it("leave alone whom a rule does not name", () => {
    const { rates: calls } = rates();
    const rule = { limit: 0, of: ["principal"] } as const;
    for (const caller of [agent(1), owner, undefined]) calls.count(rule, caller);
    expect(() => calls.count(rule, principal(1))).toThrow(slow(0, 60));
  });

  it("keep rules of different limits apart", () => {
    const { rates: calls } = rates();
    calls.count({ limit: 1, of: ["principal"] }, principal(1));
    calls.count({ limit: 2, of: ["principal"] }, principal(1));
    expect(() => calls.count({ limit: 1, of: ["principal"] }, principal(1))).toThrow(slow(1, 60));
  });

  it("go on when the clock is set back", () => {
    const { clock, rates: calls } = rates(600_000);
    const rule = { limit: 1, of: ["agent"] } as const;
    calls.count(rule, agent(1));
    clock.now = 5_000;
    calls.count(rule, agent(1));
    expect(() => calls.count(rule, agent(1))).toThrow(slow(1, 55));
  });
});
