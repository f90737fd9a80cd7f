import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IntercomError, type Task } from "../../protocol/index.ts";
import { scriptedSession } from "../../test/fixtures/scripted-session.ts";

const task = { id: "task_1", title: "Build" } as Task;

function tasks() {
  const daemon = scriptedSession();
  daemon.script.claimTask = () => task;
  daemon.script.claimNextTask = () => task;
  daemon.script.completeTask = (call) => ({ ...task, status: "done", note: call.input.note as string });
  daemon.script.releaseTask = () => task;
  daemon.script.addTaskProgress = (call) => ({ taskId: "task_1", ...call.input }) as never;
  return daemon;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("withTask", () => {
  it("claims, runs, reports, and completes with the note", async () => {
    const daemon = tasks();
    const session = await daemon.start();
    const done = await session.withTask("task_1", async (claimed, { progress }) => {
      await progress("progress", "half");
      return `built ${claimed.title}`;
    });
    expect(done).toMatchObject({ status: "done", note: "built Build" });
    expect(daemon.calls.slice(3).map((call) => call.name)).toEqual(["claimTask", "addTaskProgress", "completeTask"]);
    expect(daemon.named("addTaskProgress")[0]?.input).toEqual({ taskId: "task_1", kind: "progress", text: "half" });
  });

  it("takes the next task, or none", async () => {
    const daemon = tasks();
    const session = await daemon.start();
    await session.withTask("next", () => {}, { waitMs: 5_000 });
    expect(daemon.named("claimNextTask")[0]?.input).toEqual({ waitMs: 5_000 });
    expect(daemon.named("completeTask")[0]?.input).toEqual({ taskId: "task_1" });
    daemon.script.claimNextTask = () => null;
    const run = vi.fn();
    expect(await session.withTask("next", run)).toBeNull();
    expect(run).not.toHaveBeenCalled();
  });

  it("gives the task back when the work or its completion fails", async () => {
    const daemon = tasks();
    const session = await daemon.start();
    const fail = () => Promise.reject(new Error("no compiler"));
    await expect(session.withTask("task_1", fail)).rejects.toThrow("no compiler");
    daemon.script.completeTask = () => {
      throw new IntercomError("INVALID_ARGUMENT", "note: too long");
    };
    await expect(session.withTask("task_1", () => "x")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(daemon.named("releaseTask")).toHaveLength(2);
  });

  it("completes through a restart of the daemon, with one key", async () => {
    const daemon = tasks();
    const session = await daemon.start();
    const complete = daemon.script.completeTask as never;
    daemon.script.completeTask = () => {
      throw new TypeError("fetch failed");
    };
    const done = session.withTask("task_1", () => "x");
    await vi.advanceTimersByTimeAsync(5_000);
    daemon.script.completeTask = complete;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await done).toMatchObject({ status: "done" });
    expect(new Set(daemon.named("completeTask").map((call) => call.headers["Idempotency-Key"])).size).toBe(1);
    expect(daemon.named("releaseTask")).toHaveLength(0);
  });

  it("tells the work when the session or the caller ends it", async () => {
    const daemon = tasks();
    const session = await daemon.start();
    const controller = new AbortController();
    const work = session.withTask(
      "task_1",
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      { signal: controller.signal },
    );
    const failed = work.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(0);
    controller.abort(new Error("stop"));
    expect(await failed).toMatchObject({ message: "stop" });
    expect(daemon.named("releaseTask")).toHaveLength(1);
  });
});
