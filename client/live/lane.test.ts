import { describe, expect, it } from "vitest";
import type { Timers } from "../timers.ts";
import { Lane } from "./lane.ts";

/** Time that passes when the test says so. */
class ManualTimers implements Timers {
  #now = 0;
  readonly #waiting = new Map<object, { readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): object {
    const handle = {};
    this.#waiting.set(handle, { at: this.#now + ms, run });
    return handle;
  }

  clearTimeout(handle: unknown): void {
    this.#waiting.delete(handle as object);
  }

  /** Sets the clock without letting time pass. */
  setBack(ms: number): void {
    this.#now -= ms;
  }

  get delays(): number[] {
    return [...this.#waiting.values()].map(({ at }) => at - this.#now);
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    for (const [handle, { at, run }] of [...this.#waiting]) {
      if (at > this.#now) continue;
      this.#waiting.delete(handle);
      run();
    }
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

function lane() {
  const timers = new ManualTimers();
  const runs: number[] = [];
  let open: PromiseWithResolvers<void> | undefined;
  const made = new Lane(timers, 100, async () => {
    runs.push(timers.now());
    await open?.promise;
  });
  return {
    timers,
    runs,
    made,
    /** Lets the work take until the returned function is called. */
    hold: () => {
      open = Promise.withResolvers();
      return async () => {
        open?.resolve();
        open = undefined;
        await settled();
      };
    },
  };
}

describe("a lane", () => {
  it("works at once for the first request", async () => {
    const { made, runs } = lane();
    made.request();
    await settled();
    expect(runs).toEqual([0]);
  });

  it("works once for all requests of an interval", async () => {
    const { made, runs, timers } = lane();
    for (let request = 0; request < 50; request++) made.request();
    await settled();
    for (let request = 0; request < 50; request++) made.request();
    await timers.pass(99);
    expect(runs).toEqual([0]);
    await timers.pass(1);
    expect(runs).toEqual([0, 100]);
    await timers.pass(1000);
    expect(runs).toEqual([0, 100]);
  });

  it("never works twice at a time, and forgets no request that came meanwhile", async () => {
    const { made, runs, timers, hold } = lane();
    const finish = hold();
    made.request();
    await timers.pass(500);
    made.request();
    await timers.pass(500);
    expect(runs).toEqual([0]);
    await finish();
    expect(runs).toEqual([0, 1000]);
  });

  it("does not wait longer than its interval when the clock is set back", async () => {
    const { made, timers } = lane();
    made.request();
    await settled();
    timers.setBack(3_600_000);
    made.request();
    expect(timers.delays).toEqual([100]);
  });

  it("does nothing after it was closed", async () => {
    const { made, runs, timers } = lane();
    made.request();
    await settled();
    made.request();
    made.close();
    made.request();
    await timers.pass(1000);
    expect(runs).toEqual([0]);
  });
});
