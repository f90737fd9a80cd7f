import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ErrorCode, IntercomError } from "../protocol/index.ts";
import { healthy, message, scriptedSession } from "../test/fixtures/scripted-session.ts";
import { failureReason, ScopeClient } from "./index.ts";

const INTERVAL = 10_000;

function refuse(code: ErrorCode, reason?: string) {
  return (): never => {
    throw new IntercomError(code, "refused", reason === undefined ? undefined : { reason });
  };
}

function unreachable(): never {
  throw new TypeError("fetch failed");
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("starting", () => {
  it("checks the daemon, registers, and sends the first heartbeat", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    expect(daemon.calls.map((call) => call.name)).toEqual(["health", "registerAgent", "heartbeat"]);
    expect(daemon.calls[1]?.token).toBe("scope-token");
    expect(daemon.calls[2]?.token).toBe("token-1");
    expect(daemon.calls[2]?.input).toEqual({ lifecycle: "ready", ready: true, leaseMs: 30_000 });
    expect([session.state, session.agentId, session.executionId, session.scopeId]).toEqual([
      "live",
      "me",
      "exec_1",
      "s",
    ]);
    expect(daemon.states).toEqual(["live"]);
  });

  it("takes a scope client and initial state", async () => {
    const daemon = scriptedSession();
    const { fetch } = await import("../test/fixtures/scripted-fetch.ts").then((m) => m.scriptedFetch(daemon.script));
    const scope = new ScopeClient({ address: "http://x", adminToken: "a", scopeId: "team", fetch });
    const session = await daemon.start({ scope, initialLifecycle: "starting" } as never);
    expect(session.state).toBe("live");
  });

  it.each([
    [{ ...healthy, name: "october-bus", protocolVersion: "0.1", compatible: [] }, "incompatible"],
    [{ ...healthy, protocolVersion: "2.0" }, "incompatible"],
    [{ ...healthy, status: "not_ready" as const }, "not_ready"],
  ])("refuses a daemon that is not fit: %o", async (health, reason) => {
    const daemon = scriptedSession();
    daemon.script.health = () => health;
    await expect(daemon.start()).rejects.toMatchObject({ details: { reason } });
    expect(daemon.named("registerAgent")).toHaveLength(0);
  });

  it("accepts a listener that lists our protocol as compatible", async () => {
    const daemon = scriptedSession();
    daemon.script.health = () => ({ ...healthy, name: "other", compatible: ["x/1", "agent-intercom/1.3"] });
    expect((await daemon.start()).state).toBe("live");
  });

  it("fails with the error of the registration", async () => {
    const daemon = scriptedSession();
    daemon.script.registerAgent = refuse("UNAUTHENTICATED", "unknown");
    await expect(daemon.start()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("retires what it registered when the first heartbeat fails or the caller aborts", async () => {
    const failing = scriptedSession();
    failing.script.heartbeat = refuse("INTERNAL");
    await expect(failing.start()).rejects.toMatchObject({ code: "INTERNAL" });
    expect(failing.named("retire")).toHaveLength(1);

    const aborted = scriptedSession();
    const controller = new AbortController();
    aborted.script.heartbeat = () => {
      controller.abort();
      return {} as never;
    };
    await expect(aborted.start({ signal: controller.signal })).rejects.toMatchObject({
      details: { reason: "aborted" },
    });
    expect(aborted.named("retire")).toHaveLength(1);
  });
});

describe("heartbeats", () => {
  it("come at a third of the lease", async () => {
    const daemon = scriptedSession();
    await daemon.start();
    await vi.advanceTimersByTimeAsync(INTERVAL * 3);
    expect(daemon.named("heartbeat")).toHaveLength(4);
  });

  it("are repeated with backoff while the daemon is away, and never end the session", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const answer = daemon.script.heartbeat;
    daemon.script.heartbeat = unreachable;
    await vi.advanceTimersByTimeAsync(INTERVAL + 250 + 500 + 1000);
    expect(daemon.named("heartbeat")).toHaveLength(1 + 4);
    expect(session.state).toBe("reconnecting");
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(session.state).toBe("reconnecting");
    daemon.script.heartbeat = answer;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.state).toBe("live");
    expect(daemon.states).toEqual(["live", "reconnecting", "live"]);
    expect(daemon.errors.every((error) => failureReason(error) === "network")).toBe(true);
    expect(daemon.named("registerAgent")).toHaveLength(1);
  });

  it("come at once after a suspend, during which timers stood still", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start({ registration: { id: "me", displayName: "Me", leaseMs: 86_400_000 } });
    await vi.advanceTimersByTimeAsync(5_000);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(daemon.named("heartbeat")).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(daemon.named("heartbeat")).toHaveLength(2);
    expect(session.state).toBe("live");
  });

  it("carry a new state at once, and keep it", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    await session.setState({ lifecycle: "working", ready: true, summary: "tests" });
    await session.setState({ lifecycle: "idle", ready: true });
    await vi.advanceTimersByTimeAsync(INTERVAL);
    expect(
      daemon
        .named("heartbeat")
        .slice(1)
        .map((call) => [call.input.lifecycle, call.input.summary]),
    ).toEqual([
      ["working", "tests"],
      ["idle", "tests"],
      ["idle", "tests"],
    ]);
  });

  it("refuse a state no daemon would accept and go on with the old one", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    await expect(session.setState({ lifecycle: "offline", ready: true })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
    await vi.advanceTimersByTimeAsync(INTERVAL);
    expect(daemon.named("heartbeat").at(-1)?.input.lifecycle).toBe("ready");
  });

  it("deliver a state that was set while the daemon was away", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const answer = daemon.script.heartbeat;
    daemon.script.heartbeat = unreachable;
    let accepted = false;
    void session.setState({ lifecycle: "working", ready: false }).then(() => {
      accepted = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(accepted).toBe(false);
    daemon.script.heartbeat = answer;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(accepted).toBe(true);
  });
});

describe("a lost lease", () => {
  it.each(["expired", "retired", "unknown"])("is replaced when the execution is %s", async (reason) => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    await session.setState({ lifecycle: "working", ready: true });
    const answer = daemon.script.heartbeat;
    daemon.script.heartbeat = (call) => (call.token === "token-1" ? refuse("UNAUTHENTICATED", reason)() : answer(call));
    await vi.advanceTimersByTimeAsync(INTERVAL + 500);
    expect(session.state).toBe("live");
    expect(session.executionId).toBe("exec_2");
    expect(daemon.states).toEqual(["live", "reconnecting", "live"]);
    expect(daemon.named("registerAgent")[1]?.input).toEqual({ id: "me", displayName: "Me", leaseMs: 30_000 });
    expect(daemon.named("heartbeat").at(-1)).toMatchObject({ token: "token-2", input: { lifecycle: "working" } });
  });

  it("keeps the id the daemon gave", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start({ registration: { displayName: "Me" } });
    daemon.script.heartbeat = refuse("UNAUTHENTICATED", "expired");
    await vi.advanceTimersByTimeAsync(101_000);
    expect(daemon.named("registerAgent")[1]?.input.id).toBe("agent_generated");
    expect(session.agentId).toBe("agent_generated");
  });

  it("is asked for again with backoff while the daemon is away", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.heartbeat = refuse("UNAUTHENTICATED", "unknown");
    daemon.script.registerAgent = unreachable;
    await vi.advanceTimersByTimeAsync(INTERVAL + 250 + 500 + 1000);
    expect(daemon.named("registerAgent")).toHaveLength(1 + 3);
    expect(session.state).toBe("reconnecting");
  });

  it("does without links to peers that are gone", async () => {
    const daemon = scriptedSession();
    const register = daemon.script.registerAgent;
    const session = await daemon.start({
      registration: { id: "me", displayName: "Me", connectTo: ["gone"], leaseMs: 30_000 },
    });
    const answer = daemon.script.heartbeat;
    daemon.script.heartbeat = (call) =>
      call.token === "token-1" ? refuse("UNAUTHENTICATED", "expired")() : answer(call);
    daemon.script.registerAgent = (call) => (call.input.connectTo ? refuse("NOT_FOUND")() : register(call));
    await vi.advanceTimersByTimeAsync(INTERVAL + 500);
    expect(session.state).toBe("live");
  });

  it("ends the session when another one took over, and says so", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.heartbeat = refuse("UNAUTHENTICATED", "replaced");
    await vi.advanceTimersByTimeAsync(INTERVAL);
    const error = await session.done;
    expect(error).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "replaced", agentId: "me" } });
    expect(error?.message).toMatch(/Another session took over/);
    expect(session.state).toBe("ended");
    await vi.advanceTimersByTimeAsync(600_000);
    expect(daemon.named("registerAgent")).toHaveLength(1);
    expect(daemon.named("retire")).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
    await expect(session.setState({ lifecycle: "idle", ready: true })).rejects.toBe(error);
  });

  it("ends the session when it may not register any more, or the daemon gives no reason", async () => {
    const rotated = scriptedSession();
    const one = await rotated.start();
    rotated.script.heartbeat = refuse("UNAUTHENTICATED", "retired");
    rotated.script.registerAgent = refuse("UNAUTHENTICATED", "unknown");
    await vi.advanceTimersByTimeAsync(INTERVAL + 500);
    expect(await one.done).toMatchObject({ code: "UNAUTHENTICATED", message: "refused" });

    const silent = scriptedSession();
    const two = await silent.start();
    silent.script.heartbeat = refuse("UNAUTHENTICATED");
    await vi.advanceTimersByTimeAsync(INTERVAL);
    expect(await two.done).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(silent.named("registerAgent")).toHaveLength(1);
  });

  it("is noticed by other calls before the next heartbeat", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.heartbeat = (call) =>
      call.token === "token-1" ? refuse("UNAUTHENTICATED", "expired")() : ({} as never);
    const send = daemon.script.sendMessage;
    daemon.script.sendMessage = (call) =>
      call.token === "token-1" ? refuse("UNAUTHENTICATED", "expired")() : send(call);
    const answer = session.ask("peer", "?", { timeoutMs: 60_000 });
    answer.catch(() => {});
    await vi.advanceTimersByTimeAsync(1_500);
    expect(session.executionId).toBe("exec_2");
    const keys = daemon.named("sendMessage").map((call) => call.headers["Idempotency-Key"]);
    expect(daemon.named("sendMessage").map((call) => call.token)).toEqual(["token-1", "token-2"]);
    expect(new Set(keys).size).toBe(1);
    await session.close();
  });
});

describe("a call that was under way when the lease was replaced by the session itself", () => {
  it("is repeated with the new token instead of ending the session", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const send = daemon.script.sendMessage;
    daemon.script.sendMessage = async (call) => {
      if (call.token !== "token-1") return send(call);
      await new Promise((resolve) => setTimeout(resolve, 20_000));
      return refuse("UNAUTHENTICATED", "replaced")();
    };
    session.ask("peer", "?").catch(() => {});
    const answer = daemon.script.heartbeat;
    daemon.script.heartbeat = (call) =>
      call.token === "token-1" ? refuse("UNAUTHENTICATED", "expired")() : answer(call);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(session.state).toBe("live");
    expect(daemon.named("sendMessage").map((call) => call.token)).toEqual(["token-1", "token-2"]);
    await session.close();
  });
});

describe("closing", () => {
  it("retires once, ends quietly, and leaves no timer behind", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    await Promise.all([session.close(), session.close(), session[Symbol.asyncDispose]()]);
    expect(daemon.named("retire")).toHaveLength(1);
    expect(await session.done).toBeUndefined();
    expect(daemon.states).toEqual(["live", "ended"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("happens when the signal aborts", async () => {
    const daemon = scriptedSession();
    const controller = new AbortController();
    const session = await daemon.start({ signal: controller.signal });
    controller.abort();
    expect(await session.done).toBeUndefined();
    expect(daemon.named("retire")).toHaveLength(1);
  });

  it("takes 5 s at most when neither the daemon nor a handler comes to an end", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    let signal: AbortSignal | undefined;
    session.onMessage((_, delivery) => {
      signal = delivery.signal;
      return new Promise((_resolve, reject) =>
        delivery.signal.addEventListener("abort", () => reject(new Error("ended"))),
      );
    });
    daemon.push(message("m1"));
    await vi.advanceTimersByTimeAsync(0);
    daemon.script.retire = () => new Promise<never>(() => {});
    let closed = false;
    void session.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(closed).toBe(true);
    expect(signal?.aborted).toBe(true);
    expect(daemon.named("deferMessages")).toHaveLength(0);
  });

  it("waits for the handler that runs, begins no other, and ends what waits", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const begun: string[] = [];
    session.onMessage(async ({ id }) => {
      begun.push(id);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    });
    const asked = session.ask("peer", "?").catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(0);
    daemon.push(message("m1"), message("m2"));
    await vi.advanceTimersByTimeAsync(0);
    const closed = session.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    expect(begun).toEqual(["m1"]);
    expect(daemon.named("acknowledgeMessages").map((call) => call.input.messageIds)).toEqual([["m1"]]);
    expect(daemon.calls.at(-1)?.name).toBe("retire");
    expect(failureReason(await asked)).toBe("aborted");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("retires the execution that a registration under way brings", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.heartbeat = refuse("UNAUTHENTICATED", "expired");
    const register = daemon.script.registerAgent;
    daemon.script.registerAgent = async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return register(call);
    };
    await vi.advanceTimersByTimeAsync(INTERVAL + 500);
    const closed = session.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    expect(daemon.named("retire").map((call) => call.token)).toEqual(["token-2"]);
  });
});
