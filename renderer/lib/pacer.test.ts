import { expect, test } from "vitest";
import { Pacer, type PacerClock } from "./pacer.ts";

/** Time that passes when it is told to. */
function manualClock() {
  let nowMs = 0;
  let waiting: { at: number; callback: () => void }[] = [];
  const clock: PacerClock = {
    now: () => nowMs,
    later: (callback, ms) => waiting.push({ at: nowMs + ms, callback }),
  };
  function pass(ms: number): void {
    nowMs += ms;
    const due = waiting.filter(({ at }) => at <= nowMs);
    waiting = waiting.filter(({ at }) => at > nowMs);
    for (const { callback } of due) callback();
  }
  return { clock, pass };
}

test("the first after a pause is handed on at once, what follows in one batch", () => {
  const { clock, pass } = manualClock();
  const batches: (readonly number[])[] = [];
  const pacer = new Pacer<number>((batch) => batches.push(batch), 100, clock);
  pacer.push(1);
  expect(batches).toEqual([[1]]);
  pacer.push(2);
  pacer.push(3);
  pass(99);
  expect(batches).toEqual([[1]]);
  pass(1);
  expect(batches).toEqual([[1], [2, 3]]);
  pass(100);
  pacer.push(4);
  expect(batches).toEqual([[1], [2, 3], [4]]);
});

test("a flood makes at most ten batches a second, and loses and reorders nothing", () => {
  const { clock, pass } = manualClock();
  const batches: (readonly number[])[] = [];
  const pacer = new Pacer<number>((batch) => batches.push(batch), 100, clock);
  for (let n = 0; n < 1000; n += 1) {
    pacer.push(n);
    pass(1);
  }
  pass(100);
  expect(batches.length).toBeLessThanOrEqual(11);
  expect(batches.flat()).toEqual(Array.from({ length: 1000 }, (_, n) => n));
});
