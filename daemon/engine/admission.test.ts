import { describe, expect, it } from "vitest";
import { LIMITS } from "../../protocol/index.ts";
import { Admission } from "./admission.ts";

const BUSY = expect.objectContaining({ code: "BACKPRESSURE", details: { reason: "admission" } });
const ORDINARY = 256;
const CONTROL = 32;

function fill(admission: Admission, budget: "ordinary" | "control", count: number): (() => void)[] {
  return Array.from({ length: count }, () => admission.enter(budget));
}

describe("admission", () => {
  it("bounds ordinary calls, and gives back the place of one that ends", () => {
    const admission = new Admission();
    const leave = fill(admission, "ordinary", ORDINARY);
    expect(() => admission.enter("ordinary")).toThrow(BUSY);
    leave[7]?.();
    leave.push(admission.enter("ordinary"));
    expect(() => admission.enter("ordinary")).toThrow(BUSY);
  });

  it("keeps a budget of its own for control calls", () => {
    const admission = new Admission();
    fill(admission, "ordinary", ORDINARY);
    const leave = fill(admission, "control", CONTROL);
    expect(() => admission.enter("control")).toThrow(BUSY);
    leave[0]?.();
    expect(() => admission.enter("ordinary")).toThrow(BUSY);
    admission.enter("control");
  });

  it("gives a place back once, however often it is left", () => {
    const admission = new Admission();
    const leave = fill(admission, "ordinary", ORDINARY);
    for (let count = 0; count < 5; count += 1) leave[0]?.();
    admission.enter("ordinary");
    expect(() => admission.enter("ordinary")).toThrow(BUSY);
  });
});

describe("waiting calls", () => {
  it("are bounded per agent", () => {
    const admission = new Admission();
    const unpark = Array.from({ length: LIMITS.inboxWaitersPerAgent }, () => admission.park(1, 10));
    const refused = { code: "BACKPRESSURE", details: { reason: "waiters", limit: LIMITS.inboxWaitersPerAgent } };
    expect(() => admission.park(1, 10)).toThrow(expect.objectContaining(refused));
    admission.park(1, 11);
    unpark[0]?.();
    admission.park(1, 10);
    expect(() => admission.park(1, 10)).toThrow(expect.objectContaining(refused));
  });

  it("are bounded per scope, the owner's included", () => {
    const admission = new Admission();
    const unpark = Array.from({ length: LIMITS.waitersPerScope }, (_, index) =>
      admission.park(1, index % 2 === 0 ? 1000 + index : undefined),
    );
    const refused = { code: "BACKPRESSURE", details: { reason: "waiters", limit: LIMITS.waitersPerScope } };
    expect(() => admission.park(1, undefined)).toThrow(expect.objectContaining(refused));
    expect(() => admission.park(1, 5)).toThrow(expect.objectContaining(refused));
    admission.park(2, undefined);
    unpark[0]?.();
    admission.park(1, undefined);
  });

  it("are bounded per credential, and leave half of the scope to its agents", () => {
    const admission = new Admission();
    const refused = (limit: number) =>
      expect.objectContaining({ code: "BACKPRESSURE", details: { reason: "waiters", limit } });
    const outside = Array.from({ length: LIMITS.credentialWaitersPerScope }, (_, index) =>
      admission.park(1, undefined, index % 2),
    );
    expect(() => admission.park(1, undefined, 0)).toThrow(refused(LIMITS.waitersPerCredential));
    expect(() => admission.park(1, undefined, 2)).toThrow(refused(LIMITS.credentialWaitersPerScope));
    admission.park(2, undefined, 2);
    for (let count = LIMITS.credentialWaitersPerScope; count < LIMITS.waitersPerScope; count += 1) {
      admission.park(1, count);
    }
    expect(() => admission.park(1, 5)).toThrow(refused(LIMITS.waitersPerScope));
    outside[0]?.();
    admission.park(1, undefined, 2);
    expect(() => admission.park(1, undefined, 3)).toThrow(refused(LIMITS.waitersPerScope));
  });

  it("leave no trace of a refused one", () => {
    const admission = new Admission();
    for (let count = 0; count < LIMITS.inboxWaitersPerAgent; count += 1) admission.park(1, 10);
    for (let count = 0; count < 500; count += 1) expect(() => admission.park(1, 10)).toThrow();
    // Had the scope counted the refused ones, it would be full.
    for (let count = 0; count < LIMITS.waitersPerScope - LIMITS.inboxWaitersPerAgent; count += 1) {
      admission.park(1, undefined);
    }
    expect(() => admission.park(1, undefined)).toThrow();
  });
});
