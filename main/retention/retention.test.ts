import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import { Retention } from "./retention.ts";

const HOUR_MS = 60 * 60_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) }));
afterEach(() => void vi.useRealTimers());

function scene(days: number) {
  const state = { days, isRunning: true, fails: false, pruned: [] as string[] };
  const admin = {
    listScopes: async () => [{ scopeId: "one" }, { scopeId: "two" }],
    scope: (scopeId: string) => ({
      pruneScope: async ({ before, execute }: { before: string; execute: boolean }) => {
        if (state.fails) throw new Error("busy");
        state.pruned.push(`${scopeId} ${before} ${execute}`);
        return {};
      },
    }),
  };
  const retention = new Retention({
    timers: systemTimers,
    logger: silentLogger,
    days: () => state.days,
    admin: () => (state.isRunning ? (admin as never) : undefined),
  });
  return { retention, state };
}

it("removes from every scope once a day what is older than was set", async () => {
  const { retention, state } = scene(30);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(state.pruned).toEqual(["one 2026-01-01T00:05:00.000Z true", "two 2026-01-01T00:05:00.000Z true"]);
  await vi.advanceTimersByTimeAsync(23 * HOUR_MS);
  expect(state.pruned).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(state.pruned).toHaveLength(4);
  retention.close();
  await vi.advanceTimersByTimeAsync(100 * HOUR_MS);
  expect(state.pruned).toHaveLength(4);
});

it("removes nothing while things are kept for ever, and begins when that changes", async () => {
  const { retention, state } = scene(0);
  await vi.advanceTimersByTimeAsync(30 * HOUR_MS);
  expect(state.pruned).toEqual([]);
  state.days = 7;
  await vi.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(state.pruned).toHaveLength(2);
  retention.close();
});

it("tries again soon when there was no daemon, or it was busy", async () => {
  const { retention, state } = scene(7);
  state.isRunning = false;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  state.isRunning = true;
  state.fails = true;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(state.pruned).toEqual([]);
  state.fails = false;
  await vi.advanceTimersByTimeAsync(HOUR_MS / 2);
  expect(state.pruned).toHaveLength(2);
  retention.close();
});

it("makes up for it after a long sleep, once", async () => {
  const { retention, state } = scene(7);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  vi.setSystemTime(Date.now() + 72 * HOUR_MS);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(state.pruned).toHaveLength(4);
  retention.close();
});
