import { describe, expect, it } from "vitest";
import { FEATURES } from "../../protocol/version.ts";
import { daemonLike, SupervisedWorld } from "../../test/support/supervised-world.ts";

describe("a daemon that runs already", () => {
  it("is used, left alone, and still there after the app", async () => {
    const world = new SupervisedWorld();
    const daemon = world.runsElsewhere();
    world.supervisor.start();
    await world.pass();
    expect(world.states).toEqual(["adopting", "ready"]);
    expect(world.view).toMatchObject({ owner: "cli", pid: daemon.pid });
    expect(world.told).toEqual([daemon]);
    await world.supervisor.stop();
    expect(world.ended).toEqual([]);
    expect(world.view.state).toBe("stopped");
    expect(world.told.at(-1)).toBeUndefined();
  });

  it("is replaced by one of our own when it ends", async () => {
    const world = new SupervisedWorld();
    const daemon = world.runsElsewhere();
    world.supervisor.start();
    await world.pass();
    world.alive.delete(daemon.pid);
    world.health = new Error("no answer");
    world.discovery = { state: "none" };
    world.supervisor.check();
    await world.pass();
    expect(world.view.state).toBe("starting");
    world.child.ready();
    await world.pass();
    expect(world.view).toMatchObject({ state: "ready", owner: "desktop" });
  });

  it("is gone, too, when its process lives on without it", async () => {
    const world = new SupervisedWorld();
    world.runsElsewhere();
    world.supervisor.start();
    await world.pass();
    world.health = new Error("no answer");
    world.discovery = { state: "none" };
    await world.pass(5000);
    expect(world.view.state).toBe("starting");
    expect(world.ended).toEqual([]);
  });

  it("is still there while its run file is, whatever it does not answer", async () => {
    const world = new SupervisedWorld();
    const daemon = world.runsElsewhere();
    world.supervisor.start();
    await world.pass();
    world.health = new Error("no answer");
    world.discovery = { state: "silent", daemon };
    await world.pass(60_000);
    expect(world.view.state).toBe("unresponsive");
    world.discovery = new Error("disk on fire");
    await world.pass(60_000);
    expect(world.view.state).toBe("unresponsive");
  });

  it("is exchanged when another one has its place", async () => {
    const world = new SupervisedWorld();
    world.runsElsewhere();
    world.supervisor.start();
    await world.pass();
    world.runsElsewhere({ instanceId: "dmn_2", pid: 4712 });
    world.health = "gone";
    await world.pass(5000);
    expect(world.view).toMatchObject({ state: "ready", pid: 4712 });
    expect(world.told.at(-1)).toMatchObject({ instanceId: "dmn_2" });
    expect(world.children).toEqual([]);
  });

  it.each([
    ["another protocol", { protocol: "2.0" }, FEATURES, "other_protocol"],
    ["fewer features", {}, FEATURES.slice(1), "lacks_features"],
  ])("with %s is explained and not fought", async (_what, changes, features, reason) => {
    const world = new SupervisedWorld();
    world.runsElsewhere(changes, features);
    world.supervisor.start();
    await world.pass(60_000);
    expect(world.view).toMatchObject({ state: "incompatible", problem: { code: "CONFLICT", details: { reason } } });
    expect(world.view.problem?.advice).toContain("agent-intercom stop");
    expect(world.told).toEqual([]);
    expect(world.ended).toEqual([]);
    // It is out of the way: now there is one of ours.
    world.discovery = { state: "none" };
    await world.pass(5000);
    expect(world.view.state).toBe("starting");
  });

  it("is not trusted where somebody else could have written the run file", async () => {
    const world = new SupervisedWorld();
    world.discovery = { state: "untrusted", reason: "it can be written by others" };
    world.supervisor.start();
    await world.pass(60_000);
    expect(world.view).toMatchObject({
      state: "failed",
      problem: { code: "PERMISSION_DENIED", details: { reason: "untrusted_run_file" } },
    });
    expect(world.children).toEqual([]);
  });

  it("that does not answer is waited for, and ended only at the wish of the human", async () => {
    const world = new SupervisedWorld();
    const daemon = daemonLike();
    world.alive.add(daemon.pid);
    world.discovery = { state: "silent", daemon };
    world.health = new Error("no answer");
    world.supervisor.start();
    await world.pass(60_000);
    expect(world.view).toMatchObject({ state: "unresponsive", pid: daemon.pid });
    expect(world.ended).toEqual([]);
    world.obeys = false;
    world.discovery = { state: "none" };
    const restarted = world.supervisor.restart();
    await world.pass(6000);
    await restarted;
    await world.pass();
    expect(world.ended).toEqual([
      [daemon.pid, "politely"],
      [daemon.pid, "at-once"],
    ]);
    expect(world.view.state).toBe("starting");
  });

  it("that does not answer at first is used once it does", async () => {
    const world = new SupervisedWorld();
    const daemon = daemonLike();
    world.alive.add(daemon.pid);
    world.discovery = { state: "silent", daemon };
    world.supervisor.start();
    await world.pass(5000);
    expect(world.view).toMatchObject({ state: "ready", owner: "cli" });
  });

  it("in good order is not restarted: it is somebody else's", async () => {
    const world = new SupervisedWorld();
    world.runsElsewhere();
    world.supervisor.start();
    await world.pass();
    await expect(world.supervisor.restart()).rejects.toMatchObject({
      code: "CONFLICT",
      details: { reason: "not_ours" },
    });
    expect(world.view.state).toBe("ready");
  });

  it("is found by what was given up or stopped before", async () => {
    const world = new SupervisedWorld();
    world.supervisor.start();
    await world.pass();
    world.child.fail("INVALID_ARGUMENT", { reason: "settings" });
    expect(world.view.state).toBe("failed");
    world.runsElsewhere({ owner: "service" });
    await world.pass(5000);
    expect(world.view).toMatchObject({ state: "ready", owner: "service" });
  });
});

describe("the heartbeat", () => {
  it("asks before it kills: two misses are only told", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    await world.pass(5000);
    await world.pass(5000);
    expect(world.view.state).toBe("ready");
    await world.pass(5000);
    expect(world.view).toMatchObject({ state: "unresponsive", problem: { details: { reason: "silent" } } });
    const { since } = world.view;
    await world.pass(300_000);
    expect(world.view).toMatchObject({ state: "unresponsive", since });
    expect(child.wasKilled).toBe(false);

    const restarted = world.supervisor.restart();
    await world.pass();
    await restarted;
    expect(child.wasKilled).toBe(true);
    expect(world.view.state).toBe("starting");
  });

  it("takes a late answer for a sign of life", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    await world.pass(15_000);
    expect(world.view.state).toBe("unresponsive");
    child.isResponsive = true;
    await world.pass(5000);
    expect(world.view.state).toBe("ready");
    expect(world.view.problem).toBeUndefined();
  });

  it("tells a database that is out of reach from a daemon that hangs", async () => {
    const world = new SupervisedWorld();
    await world.untilReady();
    world.health = "storage";
    await world.pass(10_000);
    expect(world.view).toMatchObject({ state: "unresponsive", problem: { details: { reason: "storage" } } });
    world.health = "never";
    await world.pass(15_000);
    expect(world.view).toMatchObject({ state: "unresponsive", problem: { details: { reason: "silent" } } });
    world.health = "ok";
    await world.pass(5000);
    expect(world.view.state).toBe("ready");
  });

  it("rests while the machine sleeps, and gives time to wake up", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    await world.pass(10_000);
    world.supervisor.suspend();
    await world.pass(3_600_000);
    expect(world.view.state).toBe("ready");
    world.supervisor.resume();
    await world.pass(9999);
    expect(world.view.state).toBe("ready");
    await world.pass(5001);
    expect(world.view.state).toBe("unresponsive");
  });

  it("a daemon that dies while it does not answer is started again", async () => {
    const world = new SupervisedWorld();
    const child = await world.untilReady();
    child.isResponsive = false;
    await world.pass(15_000);
    child.exit({ code: undefined, reason: "oom" });
    expect(world.view).toMatchObject({ state: "backing-off", problem: { details: { cause: "oom" } } });
    await world.nextStart();
    expect(world.children).toHaveLength(2);
  });
});
