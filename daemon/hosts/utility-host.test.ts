import { describe, expect, it } from "vitest";
import type { HostReport } from "../../protocol/desktop/daemon-host.ts";
import { IntercomError, PROTOCOL_VERSION } from "../../protocol/index.ts";
import type { Daemon, DaemonOptions } from "../daemon.ts";
import { silentLogger } from "../runtime/index.ts";
import { UtilityHost } from "./utility-host.ts";

const START = { kind: "start", dataDir: "/data", runtimeDir: "/run", parentPid: 1 };

/** A host whose daemon is an object. */
function scene(failure?: unknown) {
  const reports: HostReport[] = [];
  const started: DaemonOptions[] = [];
  const exits: number[] = [];
  const checks: (() => void)[] = [];
  const state = { isParentAlive: true, stops: 0 };
  const stopped = Promise.withResolvers<void>();
  let listener: (event: { data: unknown }) => void = () => {};
  const daemon = {
    address: "http://127.0.0.1:4766",
    instanceId: "dmn_1",
    version: "1.2.3",
    schema: 7,
    adminToken: "t".repeat(43),
    stop: async () => {
      state.stops += 1;
      stopped.resolve();
    },
    stopped: stopped.promise,
  } as Daemon;
  const host = new UtilityHost({
    port: {
      postMessage: (report) => void reports.push(report),
      on: (_event, heard) => {
        listener = heard;
      },
    },
    start: async (options) => {
      started.push(options);
      if (failure !== undefined) throw failure;
      return daemon;
    },
    openLog: () => silentLogger,
    isAlive: () => state.isParentAlive,
    every: (_ms, run) => void checks.push(run),
    exit: (code) => void exits.push(code),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const say = async (data: unknown): Promise<void> => {
    listener({ data });
    await settle();
  };
  return { host, daemon, reports, started, exits, checks, state, say, settle };
}

describe("the daemon of the desktop", () => {
  it("starts with what it is told over the port, and introduces itself there", async () => {
    const { reports, started, say } = scene();
    await say(START);
    expect(started).toMatchObject([{ dataDir: "/data", runtimeDir: "/run", owner: "desktop" }]);
    expect(reports).toEqual([
      {
        kind: "ready",
        handshake: {
          protocol: PROTOCOL_VERSION,
          version: "1.2.3",
          schema: 7,
          pid: process.pid,
          address: "http://127.0.0.1:4766",
          instanceId: "dmn_1",
          adminToken: "t".repeat(43),
        },
      },
    ]);
  });

  it("starts once, and does not heed what it does not understand", async () => {
    const { reports, started, exits, say } = scene();
    await say({ kind: "launch" });
    await say({ ...START, adminToken: "given from outside" });
    expect(started).toEqual([]);
    await say(START);
    await say(START);
    await say("shutdown");
    expect(started).toHaveLength(1);
    expect(reports).toHaveLength(1);
    expect(exits).toEqual([]);
  });

  it("answers each beat with its number", async () => {
    const { reports, say } = scene();
    await say(START);
    await say({ kind: "beat", id: 7 });
    expect(reports.at(-1)).toEqual({ kind: "beat", id: 7 });
  });

  it("stops when asked, says so and ends", async () => {
    const { reports, exits, state, say } = scene();
    await say(START);
    await say({ kind: "shutdown" });
    expect(state.stops).toBe(1);
    expect(reports.at(-1)).toEqual({ kind: "stopped" });
    expect(exits).toEqual([0]);
  });

  it("says so and ends when others have stopped it", async () => {
    const { daemon, reports, exits, say, settle } = scene();
    await say(START);
    await daemon.stop();
    await settle();
    expect(reports.at(-1)).toEqual({ kind: "stopped" });
    expect(exits).toEqual([0]);
  });

  it("ends at once when it is asked to before it was told anything", async () => {
    const { exits, reports, say } = scene();
    await say({ kind: "shutdown" });
    expect(exits).toEqual([0]);
    expect(reports).toEqual([]);
  });

  it("stops by itself when the desktop is gone", async () => {
    const { checks, exits, state, say, settle } = scene();
    await say(START);
    for (const check of checks) check();
    expect(state.stops).toBe(0);
    state.isParentAlive = false;
    for (const check of checks) check();
    await settle();
    expect(state.stops).toBe(1);
    expect(exits).toEqual([0]);
  });

  it.each([
    [
      new IntercomError("CONFLICT", "taken", { reason: "port_taken" }),
      { code: "CONFLICT", message: "taken", details: { reason: "port_taken" } },
    ],
    [new TypeError("a defect"), { code: "INTERNAL", message: "TypeError: a defect" }],
  ])("says why it could not start: %s", async (failure, error) => {
    const { reports, exits, host, say } = scene(failure);
    await say(START);
    expect(reports).toEqual([{ kind: "failed", error }]);
    expect(exits).toEqual([1]);
    await host.stop();
  });
});
