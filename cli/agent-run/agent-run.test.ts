import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentClient } from "../../client/index.ts";
import { IntercomError, type Registration } from "../../protocol/index.ts";
import { childEnvironment } from "./environment.ts";
import { KeepAlive } from "./keep-alive.ts";

const registration: Registration = {
  scopeId: "s",
  agentId: "a",
  executionId: "exec_1",
  agentToken: "agent-token",
  leaseExpiresAt: "2026-01-01T00:00:00.000Z",
};

describe("environment of an agent's program", () => {
  it("has the agent's credential and none of the owner's, under whatever name and case", () => {
    const parent = {
      PATH: "/bin",
      AGENT_INTERCOM_ADMIN_TOKEN: "admin",
      agent_intercom_scope_token: "scope",
      OCTOBER_BUS_ADMIN_TOKEN: "other",
      COPY: "admin-secret",
      HEADER: "Bearer admin-secret",
      AGENT_INTERCOM_AGENT_TOKEN: "the parent's",
      EMPTY: "",
    };
    const env = childEnvironment(parent, { address: "http://x", registration, secrets: ["admin-secret", ""] });
    expect(env).toEqual({
      PATH: "/bin",
      EMPTY: "",
      AGENT_INTERCOM_ADDRESS: "http://x",
      AGENT_INTERCOM_SCOPE: "s",
      AGENT_INTERCOM_AGENT_ID: "a",
      AGENT_INTERCOM_EXECUTION_ID: "exec_1",
      AGENT_INTERCOM_AGENT_TOKEN: "agent-token",
      OCTOBER_BUS_ADDRESS: "http://x",
      OCTOBER_BUS_AGENT_ID: "a",
      OCTOBER_BUS_EXECUTION_ID: "exec_1",
      OCTOBER_BUS_AGENT_TOKEN: "agent-token",
    });
  });
});

describe("keep-alive", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function make() {
    const heartbeat = vi.fn(async () => ({}));
    const whoAmI = vi.fn(async () => ({ agent: { lifecycle: "idle", ready: true } }));
    const told: string[] = [];
    const agent = { heartbeat, whoAmI } as unknown as AgentClient;
    const keepAlive = new KeepAlive(agent, 30_000, (problem) => told.push(problem));
    keepAlive.start();
    return { heartbeat, whoAmI, told, keepAlive };
  }

  it("beats at a third of the lease and repeats the state the program has set", async () => {
    const { heartbeat, keepAlive } = make();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(heartbeat).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_001);
    expect(heartbeat.mock.calls).toEqual(Array(3).fill([{ lifecycle: "idle", ready: true, leaseMs: 30_000 }]));
    keepAlive.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(heartbeat).toHaveBeenCalledTimes(3);
  });

  it("goes on through an absence of the daemon, and tells its begin and end once", async () => {
    const { whoAmI, told } = make();
    whoAmI.mockRejectedValue(new IntercomError("INTERNAL", "gone", { reason: "network" }));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(told).toEqual(["the daemon does not answer; trying again"]);
    whoAmI.mockResolvedValue({ agent: { lifecycle: "idle", ready: true } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told.at(-1)).toBe("the daemon answers again");
  });

  it.each([
    ["replaced", /took over/],
    ["expired", /lease has ended/],
  ])("gives up when the execution is %s, and says so", async (reason, words) => {
    const { whoAmI, told } = make();
    whoAmI.mockRejectedValue(new IntercomError("UNAUTHENTICATED", "no", { reason }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(words);
    expect(whoAmI).toHaveBeenCalledTimes(1);
  });
});
