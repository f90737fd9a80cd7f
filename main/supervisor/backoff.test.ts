import { describe, expect, it } from "vitest";
import { Failures, restartDelayMs } from "./backoff.ts";

describe("restartDelayMs", () => {
  it("is anything up to a ceiling that doubles and ends at 30 s", () => {
    expect([0, 1, 2, 6, 7, 50, 2000].map((failures) => restartDelayMs(failures, () => 1))).toEqual([
      250, 500, 1000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(restartDelayMs(7, () => 0)).toBe(0);
    expect(restartDelayMs(7, () => 0.5)).toBe(15_000);
  });
});

describe("Failures", () => {
  it("are enough at the fifth within five minutes", () => {
    const failures = new Failures();
    expect([0, 1, 2, 3, 4].map((minute) => failures.add(minute * 60_000))).toEqual([false, false, false, false, true]);
  });

  it("do not add up over more than that", () => {
    const failures = new Failures();
    expect([0, 1, 2, 3, 5, 6].map((minute) => failures.add(minute * 60_000))).not.toContain(true);
  });

  it("are not held against the daemon for ever by a clock that was set back", () => {
    const failures = new Failures();
    for (let count = 0; count < 4; count += 1) failures.add(1_000_000_000);
    expect(failures.add(0)).toBe(false);
  });

  it("in a row are forgotten after good work, and all at the wish of the human", () => {
    const failures = new Failures();
    for (let count = 0; count < 4; count += 1) failures.add(count);
    failures.settled();
    expect(failures.count).toBe(0);
    expect(failures.add(5)).toBe(true);
    failures.forget();
    expect(failures.count).toBe(0);
    expect(failures.add(6)).toBe(false);
  });
});
