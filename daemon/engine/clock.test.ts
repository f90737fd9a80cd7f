import { describe, expect, it } from "vitest";
import { SystemClock } from "./clock.ts";

function fakeTime() {
  const time = { wall: 1_000_000, steady: 0 };
  return {
    clock: new SystemClock(
      () => time.wall,
      () => time.steady,
    ),
    passes: (ms: number) => {
      time.wall += ms;
      time.steady += ms;
    },
    /** The wall clock alone moves: it was set, or the machine slept. */
    jumps: (ms: number) => {
      time.wall += ms;
    },
  };
}

/** Looks at the clock and takes the jump. */
function look(clock: SystemClock): [number, number] {
  const before = clock.now();
  const { jumped } = clock;
  const jump = clock.takeJump();
  expect(jumped).toBe(jump !== 0);
  expect(clock.jumped).toBe(false);
  expect(clock.now()).toBe(before + jump);
  return [before, jump];
}

describe("the clock", () => {
  it("tells the wall clock's time, and no jump while it merely goes on", () => {
    const { clock, passes } = fakeTime();
    expect(look(clock)).toEqual([1_000_000, 0]);
    passes(86_400_000);
    expect(look(clock)).toEqual([87_400_000, 0]);
  });

  it.each([3_600_000, -3_600_000, 2001, -2001])("notices a jump of %i ms once", (ms) => {
    const { clock, passes, jumps } = fakeTime();
    passes(500);
    jumps(ms);
    passes(500);
    // Until somebody takes the jump, it has not been.
    expect(look(clock)).toEqual([1_001_000, ms]);
    passes(500);
    expect(look(clock)[1]).toBe(0);
  });

  it("adds up jumps nobody has taken yet", () => {
    const { clock, passes, jumps } = fakeTime();
    jumps(5000);
    clock.now();
    passes(10);
    jumps(-60_000);
    clock.now();
    expect(clock.takeJump()).toBe(-55_000);
    expect(clock.takeJump()).toBe(0);
  });

  it("does not take small corrections for jumps, however many", () => {
    const { clock, passes, jumps } = fakeTime();
    for (let count = 0; count < 100; count += 1) {
      passes(1000);
      jumps(1999);
      expect(look(clock)[1]).toBe(0);
    }
  });

  it("runs on the system's clocks by default", () => {
    const clock = new SystemClock();
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
    expect(clock.takeJump()).toBe(0);
  });
});
