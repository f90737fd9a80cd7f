import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { BEAT_MS, Heartbeat } from "./heartbeat.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listened(probe: () => Promise<void>) {
  const seen: string[] = [];
  const heartbeat = new Heartbeat(systemTimers, probe, {
    missed: (misses) => void seen.push(`missed ${misses}`),
    answered: () => void seen.push("answered"),
  });
  return { heartbeat, seen };
}

it("counts misses in a row, whether there was no answer or a bad one", async () => {
  let probe = (): Promise<void> => Promise.reject(new Error("no"));
  const { seen } = listened(() => probe());
  await vi.advanceTimersByTimeAsync(BEAT_MS);
  probe = () => new Promise(() => {});
  await vi.advanceTimersByTimeAsync(2 * BEAT_MS);
  probe = async () => {};
  await vi.advanceTimersByTimeAsync(BEAT_MS);
  expect(seen).toEqual(["missed 1", "missed 2", "missed 3", "answered"]);
});

it("takes a late answer, and not a late failure", async () => {
  const settle: ((error?: Error) => void)[] = [];
  const { seen } = listened(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    settle.push((error) => (error ? reject(error) : resolve()));
    return promise;
  });
  await vi.advanceTimersByTimeAsync(2 * BEAT_MS);
  expect(seen).toEqual(["missed 1"]);
  settle[0]?.(new Error("too late to matter"));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["missed 1"]);
  await vi.advanceTimersByTimeAsync(BEAT_MS);
  settle[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["missed 1", "missed 2", "answered"]);
});

it("notices by itself that the machine has slept", async () => {
  const { seen } = listened(() => new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(2 * BEAT_MS);
  expect(seen).toEqual(["missed 1"]);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(BEAT_MS);
  expect(seen).toEqual(["missed 1"]);
  await vi.advanceTimersByTimeAsync(BEAT_MS);
  expect(seen).toEqual(["missed 1", "missed 1"]);
});

it("hurries once at a time, and not while it rests or has ended", async () => {
  let probes = 0;
  const { heartbeat } = listened(() => {
    probes += 1;
    return new Promise(() => {});
  });
  heartbeat.hurry();
  heartbeat.hurry();
  expect(probes).toBe(1);
  heartbeat.pause();
  heartbeat.hurry();
  heartbeat.resume();
  heartbeat.hurry();
  expect(probes).toBe(2);
  heartbeat.end();
  heartbeat.hurry();
  await vi.advanceTimersByTimeAsync(10 * BEAT_MS);
  expect(probes).toBe(2);
});
