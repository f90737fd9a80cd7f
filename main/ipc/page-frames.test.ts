import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { type DesktopState, emptyLiveState, type LiveChange, type LiveState } from "../../protocol/desktop/index.ts";
import { FRAME_INTERVAL_MS, PageFrames } from "./page-frames.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const live: LiveState = emptyLiveState("2026-01-01T00:00:00.000Z");
const desktop = { version: "1" } as DesktopState;
const drop = (id: string): LiveChange => ({ kind: "questions", put: [], closed: [], drop: [id] });
const reset: LiveChange = { kind: "reset", state: live };
const happened: LiveChange = { kind: "events", events: [] };

function page() {
  const sent: [push: string, value: unknown][] = [];
  const frames = new PageFrames({
    timers: systemTimers,
    send: (push, value) => void sent.push([push, value]),
    read: () => ({ live, desktop }),
  });
  const tell = async (...changes: LiveChange[]): Promise<void> => {
    frames.add({ changes });
    await vi.advanceTimersByTimeAsync(0);
  };
  return { frames, sent, tell };
}

describe("the frames of a page", () => {
  it("begin when it attaches, and with what is so then", async () => {
    const { frames, sent, tell } = page();
    await tell(drop("a"));
    expect(frames.attach()).toEqual({ sequence: 0, live, desktop });
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toEqual([]);
  });

  it("are numbered without a gap, the first at once and the others together", async () => {
    const { frames, sent, tell } = page();
    frames.attach();
    await tell(drop("a"));
    await tell(drop("b"));
    await tell(drop("c"));
    expect(sent).toEqual([["frame", { sequence: 1, changes: [drop("a")] }]]);
    frames.add({ changes: [], desktop });
    await vi.advanceTimersByTimeAsync(FRAME_INTERVAL_MS);
    expect(sent.slice(1)).toEqual([["frame", { sequence: 2, changes: [drop("b"), drop("c")], desktop }]]);
  });

  it("are no more than ten in a second, whatever happens", async () => {
    const { frames, sent } = page();
    frames.attach();
    for (let ms = 0; ms < 995; ms += 5) {
      frames.add({ changes: [drop(String(ms))] });
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(sent.length).toBeLessThanOrEqual(10);
    await vi.advanceTimersByTimeAsync(FRAME_INTERVAL_MS);
    const changes = sent.flatMap(([, value]) => (value as { changes: LiveChange[] }).changes);
    expect(changes).toHaveLength(199);
  });

  it("leave out what a whole picture makes superfluous, but nothing that has happened", async () => {
    const { frames, sent, tell } = page();
    frames.attach();
    await tell(drop("a"));
    await tell(drop("b"), happened, reset, drop("c"));
    await vi.advanceTimersByTimeAsync(FRAME_INTERVAL_MS);
    expect(sent[1]).toEqual(["frame", { sequence: 2, changes: [happened, reset, drop("c")] }]);
  });

  it("go on after the snapshot of a page that attaches again", async () => {
    const { frames, sent, tell } = page();
    frames.attach();
    await tell(drop("a"));
    await tell(drop("b"));
    expect(frames.attach().sequence).toBe(1);
    await vi.advanceTimersByTimeAsync(FRAME_INTERVAL_MS);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(FRAME_INTERVAL_MS);
    await tell(drop("c"));
    expect(sent[1]).toEqual(["frame", { sequence: 2, changes: [drop("c")] }]);
  });

  it("rest while it is loaded anew, and end with it", async () => {
    const { frames, sent, tell } = page();
    frames.attach();
    frames.detach();
    await tell(drop("a"));
    expect(frames.isAttached).toBe(false);
    frames.attach();
    await tell(drop("b"));
    frames.close();
    await tell(drop("c"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(sent).toHaveLength(1);
  });

  it("tell where to go, at once or with the snapshot", () => {
    const { frames, sent } = page();
    frames.go({ view: "tasks" });
    frames.go({ view: "inbox", id: "ask_1" });
    expect(sent).toEqual([]);
    expect(frames.attach().destination).toEqual({ view: "inbox", id: "ask_1" });
    expect(frames.attach().destination).toBeUndefined();
    frames.go({ view: "about" });
    expect(sent).toEqual([["destination", { view: "about" }]]);
  });
});
