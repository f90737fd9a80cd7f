import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import type { DesktopNotice, DesktopState } from "../../protocol/desktop/index.ts";
import { DesktopModel } from "./desktop-model.ts";
import { Updates } from "./updates.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) }));
afterEach(() => void vi.useRealTimers());

function model() {
  const states: DesktopState[] = [];
  const initial = { notices: [], tray: "absent" } as unknown as DesktopState;
  return { states, model: new DesktopModel(initial, systemTimers, (state) => void states.push(state)) };
}

it("a pause ends by itself, early when that is wanted, and not at all when it is over already", async () => {
  const { model: desktop, states } = model();
  desktop.pause("2026-01-01T00:30:00Z");
  expect(desktop.state.pausedUntil).toBe("2026-01-01T00:30:00Z");
  await vi.advanceTimersByTimeAsync(30 * 60_000);
  expect(desktop.state).not.toHaveProperty("pausedUntil");
  expect(states).toHaveLength(2);
  desktop.pause("2026-01-02T09:00:00Z");
  desktop.pause(null);
  expect(desktop.state).not.toHaveProperty("pausedUntil");
  desktop.pause("2025-12-31T00:00:00Z");
  expect(desktop.state).not.toHaveProperty("pausedUntil");
});

it("a pause that is longer than timers are is not cut short", async () => {
  const { model: desktop } = model();
  desktop.pause("2026-03-01T00:00:00Z");
  await vi.advanceTimersByTimeAsync(58 * 86_400_000);
  expect(desktop.state.pausedUntil).toBe("2026-03-01T00:00:00Z");
  await vi.advanceTimersByTimeAsync(2 * 86_400_000);
  expect(desktop.state).not.toHaveProperty("pausedUntil");
});

it("a notice is there once, until it is dismissed", () => {
  const { model: desktop, states } = model();
  const notice = (file: string): DesktopNotice => ({ id: "disk-full", code: "disk-full", values: { file } });
  desktop.notice(notice("a"));
  desktop.notice(notice("b"));
  desktop.notice({ id: "no-tray", code: "no-tray", values: {} });
  expect(desktop.state.notices.map(({ values }) => values)).toEqual([{ file: "b" }, {}]);
  desktop.dismissNotice("disk-full");
  desktop.dismissNotice("disk-full");
  expect(desktop.state.notices.map(({ id }) => id)).toEqual(["no-tray"]);
  expect(states).toHaveLength(4);
});

it("a listener that fails keeps nothing from the others", () => {
  const updates = new Updates(silentLogger);
  const heard: string[] = [];
  updates.subscribe(() => {
    throw new Error("no");
  });
  const stop = updates.subscribe(() => void heard.push("second"));
  updates.publish({ changes: [] });
  stop();
  updates.publish({ changes: [] });
  expect(heard).toEqual(["second"]);
});
