import { describe, expect, it } from "vitest";
import { SupervisedWorld, VERSION } from "../../test/support/supervised-world.ts";

const CRASH = { code: 1, reason: "crashed" };

describe("a start", () => {
  it("begins a daemon where there is none, prepares it and then hands it out", async () => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass();
    expect(world.view.state).toBe("starting");
    expect(world.child.requests).toEqual([{ kind: "start", dataDir: "/data", runtimeDir: "/run", parentPid: 1 }]);
    world.child.ready();
    await world.pass();
    expect(world.states).toEqual(["adopting", "starting", "ready"]);
    expect(world.view).toMatchObject({ owner: "desktop", pid: 100, version: VERSION, failures: 0 });
    expect(world.prepared).toEqual(["dmn_100"]);
    expect(world.told).toMatchObject([{ instanceId: "dmn_100" }]);
  });

  it("does nothing when there is a daemon already", async () => {
    const world = new SupervisedWorld();
    await world.untilReady();
    world.supervisor.start();
    await world.pass(60_000);
    expect(world.children).toHaveLength(1);
    expect(world.view.state).toBe("ready");
  });

  it("counts as failed when no process can be started", async () => {
    const world = new SupervisedWorld();
    world.spawnError = new Error("no such file");
    world.supervisor.start();
    await world.pass();
    expect(world.view).toMatchObject({
      state: "backing-off",
      failures: 1,
      problem: { details: { reason: "not_started" }, message: expect.stringContaining("no such file") },
    });
  });

  it("counts as failed when the search for others fails", async () => {
    const world = new SupervisedWorld();
    world.discovery = new Error("disk on fire");
    world.supervisor.start();
    await world.pass();
    expect(world.view).toMatchObject({ state: "backing-off", problem: { details: { reason: "not_started" } } });
  });

  it("is cut off when it takes too long, with what it said at the end", async () => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass(19_999);
    expect(world.child.wasKilled).toBe(false);
    await world.pass(1);
    expect(world.child.wasKilled).toBe(true);
    expect(world.view).toMatchObject({
      state: "backing-off",
      problem: { details: { reason: "start_timeout" }, log: ["the last line"] },
    });
  });

  it("is not cut off for the time the machine slept", async () => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass(19_000);
    world.supervisor.suspend();
    world.supervisor.resume();
    await world.pass(19_000);
    expect(world.view.state).toBe("starting");
  });

  it("ends a daemon of another version, which an update in the middle leaves, and says so", async () => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass();
    world.child.ready({ version: "0.0.1" });
    await world.pass();
    expect(world.child.hasExited).toBe(true);
    expect(world.view).toMatchObject({ state: "incompatible", problem: { details: { reason: "other_version" } } });
    expect(world.told).toEqual([]);
  });

  it("is ready although the daemon could not be prepared", async () => {
    const world = new SupervisedWorld();
    world.prepared.push = () => {
      throw new Error("no scope");
    };
    await world.untilReady();
    expect(world.view.state).toBe("ready");
  });
});

describe("a daemon that ends", () => {
  it("is started again after a pause, and is another one", async () => {
    const world = new SupervisedWorld();
    (await world.untilReady()).exit({ code: undefined, reason: "killed" });
    expect(world.view).toMatchObject({
      state: "backing-off",
      failures: 1,
      nextAttemptAt: "2026-01-01T00:00:00.500Z",
      problem: { message: "The daemon has ended unexpectedly (killed).", details: { reason: "crashed" } },
    });
    expect(world.told.at(-1)).toBeUndefined();
    await world.pass(499);
    expect(world.children).toHaveLength(1);
    await world.pass(1);
    world.child.ready();
    await world.pass();
    expect(world.view).toMatchObject({ state: "ready", pid: 101 });
  });

  it("waits up to twice as long each time", async () => {
    const world = new SupervisedWorld();
    world.random = 0.5;
    await world.untilReady();
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      world.child.exit(CRASH);
      pauses.push(Date.parse(world.view.nextAttemptAt ?? "") - Date.now());
      await world.nextStart();
    }
    expect(pauses).toEqual([250, 500, 1000, 2000]);
  });

  it("is given up after five failures in five minutes, with the log, until the human wants it", async () => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass();
    for (let round = 0; round < 5; round += 1) {
      world.child.exit(CRASH);
      if (round < 4) await world.nextStart();
    }
    expect(world.view).toMatchObject({ state: "failed", failures: 5, problem: { log: ["the last line"] } });
    const { length } = world.children;
    await world.pass(600_000);
    expect(world.children).toHaveLength(length);
    await world.supervisor.restart();
    await world.pass();
    world.child.ready();
    await world.pass();
    expect(world.view).toMatchObject({ state: "ready", failures: 0 });
  });

  it("is not given up when the failures lie further apart", async () => {
    const world = new SupervisedWorld();
    await world.untilReady();
    for (let round = 0; round < 12; round += 1) {
      await world.pass(80_000);
      world.child.exit(CRASH);
      await world.nextStart();
      world.child.ready();
      await world.pass();
    }
    expect(world.view.state).toBe("ready");
  });

  it("has a short pause again only after a minute of good work", async () => {
    const world = new SupervisedWorld();
    await world.untilReady();
    for (const [workedMs, failures] of [
      [0, 1],
      [59_000, 2],
      [60_000, 1],
    ] as const) {
      await world.pass(workedMs);
      world.child.exit(CRASH);
      expect(world.view.failures).toBe(failures);
      (await world.nextStart()).ready();
      await world.pass();
    }
    await world.pass(60_000);
    expect(world.view.failures).toBe(0);
  });

  it.each([
    ["CONFLICT", { reason: "port_taken", port: 4766 }, "backing-off"],
    ["CONFLICT", { reason: "already_running" }, "backing-off"],
    ["INTERNAL", { reason: "storage_full" }, "backing-off"],
    ["INVALID_ARGUMENT", { reason: "settings" }, "failed"],
    ["PERMISSION_DENIED", {}, "failed"],
    ["CONFLICT", { schema: 9, supported: 8 }, "incompatible"],
  ] as const)("that refuses with %s %j leads to %s", async (code, details, state) => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass();
    world.child.fail(code, details);
    await world.pass();
    expect(world.view).toMatchObject({ state, problem: { code, details, message: "it said why" } });
  });

  it("that was stopped by somebody else stays so until that is taken back", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.report({ kind: "stopped" });
    child.exit({ code: 0, reason: undefined });
    await world.pass(60_000);
    expect(world.view).toMatchObject({ state: "stopped", problem: { details: { reason: "stopped_by_others" } } });
    expect(world.children).toHaveLength(1);
    world.runsElsewhere();
    await world.pass(5000);
    expect(world.view).toMatchObject({ state: "ready", owner: "cli" });
  });
});

describe("the end of the app", () => {
  it("asks the daemon to stop and waits for that", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    await world.supervisor.stop();
    expect(child.requests.at(-1)).toEqual({ kind: "shutdown" });
    expect(child.wasKilled).toBe(false);
    expect(world.states.slice(-2)).toEqual(["stopping", "stopped"]);
    await world.pass(600_000);
    expect(world.children).toHaveLength(1);
  });

  it("kills a daemon that has not stopped after 5 s", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    const stopped = world.supervisor.stop();
    await world.pass(4999);
    expect(child.wasKilled).toBe(false);
    await world.pass(1);
    expect(child.wasKilled).toBe(true);
    await stopped;
    expect(world.view.state).toBe("stopped");
  });

  it("does not wait for ever when even killing does not help", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    child.exit = () => {};
    const stopped = world.supervisor.stop();
    await world.pass(7000);
    await stopped;
    expect(world.view.state).toBe("stopped");
  });

  it("can be asked for twice, and in the middle of everything", async () => {
    for (const until of ["adopting", "starting", "backing-off"] as const) {
      const world = new SupervisedWorld();
      world.supervisor.start();
      if (until !== "adopting") await world.pass();
      if (until === "backing-off") world.child.exit(CRASH);
      expect(world.view.state).toBe(until);
      await Promise.all([world.supervisor.stop(), world.supervisor.stop()]);
      await world.pass(600_000);
      expect(world.view.state).toBe("stopped");
      expect(world.children.filter(({ hasExited }) => !hasExited)).toEqual([]);
    }
  });

  it("wins over a restart that is under way", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    const restarted = world.supervisor.restart();
    const stopped = world.supervisor.stop();
    await world.pass(10_000);
    await Promise.all([restarted, stopped]);
    await world.pass(60_000);
    expect(world.view.state).toBe("stopped");
    expect(world.children).toHaveLength(1);
  });
});
