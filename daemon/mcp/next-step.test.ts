import { describe, expect, it } from "vitest";
import { nextStep } from "./next-step.ts";

const error = (code: "UNAUTHENTICATED" | "BACKPRESSURE" | "INTERNAL" | "CONFLICT", reason?: string) => ({
  code,
  message: "it failed",
  ...(reason === undefined ? {} : { details: { reason } }),
});

describe("nextStep", () => {
  it.each(["replaced", "expired", "retired"])("after a credential that was %s forbids retrying", (reason) => {
    expect(nextStep(error("UNAUTHENTICATED", reason), {})).toContain("do not retry");
  });

  it("tells the kinds of backpressure apart", () => {
    expect(nextStep(error("BACKPRESSURE", "admission"), { BACKPRESSURE: "of the tool" })).toContain("Wait a second");
    expect(nextStep(error("BACKPRESSURE", "waiters"), { BACKPRESSURE: "of the tool" })).toContain("waitMs");
    expect(nextStep(error("BACKPRESSURE"), { BACKPRESSURE: "of the tool" })).toBe("of the tool");
    expect(nextStep(error("BACKPRESSURE"), {})).toContain("later");
  });

  it("says what only the tool knows, and otherwise nothing", () => {
    expect(nextStep(error("CONFLICT"), { CONFLICT: "Do this." })).toBe("Do this.");
    expect(nextStep(error("CONFLICT"), { NOT_FOUND: "Do that." })).toBeUndefined();
  });

  it("does not promise that a failed call had no effect", () => {
    expect(nextStep(error("INTERNAL"), {})).toContain("not known");
  });
});
