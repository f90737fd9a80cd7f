import { describe, expect, test } from "vitest";
import { LIFECYCLES, LIMITS } from "../../../protocol/index.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const intercom = useDaemon();

describe("registration", () => {
  test("makes an agent with everything it says of itself", async () => {
    const scope = await intercom().scope();
    const input = {
      id: "planner",
      displayName: "Planner ü",
      capabilities: [{ name: "planning", description: "plans" }, { name: "review" }],
      summary: "plans the work",
      metadata: {
        harness: "claude-code",
        harnessVersion: "2.1",
        model: "m",
        cwd: "/w",
        pid: 7,
        host: "h",
        sessionId: "s",
      },
    };
    const events = await scope.eventsOf(async () => {
      const registration = await scope.call("registerAgent", input);
      expect(registration).toEqual({
        scopeId: scope.id,
        agentId: "planner",
        executionId: expect.stringMatching(/^exec_[0-9a-f]{32}$/),
        agentToken: expect.stringMatching(/^[\w-]{43}$/),
        leaseExpiresAt: intercom().clock.instant(LIMITS.leaseDefaultMs),
      });
    });
    const agent = await scope.call("getAgent", { agentId: "planner" });
    const now = intercom().clock.instant();
    expect(agent).toEqual({
      ...input,
      lifecycle: "starting",
      ready: false,
      reachable: true,
      executionId: expect.any(String),
      registeredAt: now,
      updatedAt: now,
      lastSeenAt: now,
      owes: { undelivered: 0, unanswered: 0 },
    });
    expect(events).toEqual([
      [
        "agent.registered",
        "planner",
        {
          executionId: agent.executionId,
          lifecycle: "starting",
          ready: "false",
          leaseExpiresAt: intercom().clock.instant(LIMITS.leaseDefaultMs),
          actor: "scope",
        },
      ],
    ]);
  });

  test("makes up an id when none is given", async () => {
    const scope = await intercom().scope();
    const { agentId } = await scope.call("registerAgent", { displayName: "x" });
    expect(agentId).toMatch(/^agent_[0-9a-f]{32}$/);
  });

  test("is undone as a whole when it names a peer that does not exist", async () => {
    const scope = await intercom().scope();
    const first = await scope.agent("a");
    const events = await scope.eventsOf(async () => {
      const input = { id: "a", displayName: "again", connectTo: ["nobody"] };
      expect(await scope.refused("registerAgent", input)).toMatchObject({ code: "NOT_FOUND" });
    });
    expect(events).toEqual([]);
    // The execution it would have replaced goes on.
    expect((await first.call("whoAmI", {})).agent.displayName).toBe("a");
  });

  test("of an id that is running is refused where the caller does not want to replace anybody", async () => {
    const scope = await intercom().scope();
    const registration = { id: "a", displayName: "A", unlessRunning: true };
    const { agentToken: token } = await scope.call("registerAgent", registration);
    expect(await scope.refused("registerAgent", registration)).toMatchObject({
      code: "CONFLICT",
      details: { reason: "running", agentId: "a" },
    });
    expect((await intercom().call("whoAmI", {}, { token })).identity.agentId).toBe("a");
    await intercom().call("retire", {}, { token });
    const { executionId } = await scope.call("registerAgent", registration);
    await intercom().advance(LIMITS.leaseDefaultMs);
    expect((await scope.call("registerAgent", registration)).executionId).not.toBe(executionId);
  });

  test("of an id that exists replaces its execution at once", async () => {
    const scope = await intercom().scope();
    const [first, peer] = await scope.agents("a", "b");
    await first.ready();
    await peer.tell(first);
    await peer.tell(first, { mode: "request" });
    const reservation = await first.call("reserveInbox", { limit: 1 });
    const { id: taskId } = await peer.call("addTask", { title: "t" });
    await first.call("claimTask", { taskId });
    await intercom().advance(1000);
    let second = first;
    const events = await scope.eventsOf(async () => {
      second = await scope.agent("a", { displayName: "A again" });
    });
    expect(second.executionId).not.toBe(first.executionId);
    expect(await first.refused("whoAmI", {})).toMatchObject({
      code: "UNAUTHENTICATED",
      details: { reason: "replaced" },
    });
    expect(await scope.call("getAgent", { agentId: "a" })).toMatchObject({
      displayName: "A again",
      lifecycle: "starting",
      ready: false,
      registeredAt: intercom().clock.instant(),
      // The notice about the lost claim is nothing it owes.
      owes: { undelivered: 2, unanswered: 0 },
    });
    expect(events.map(([type]) => type)).toEqual([
      "message.released",
      "task.released",
      "message.accepted",
      "message.accepted",
      "agent.registered",
    ]);
    expect(events[1]?.[2]).toEqual({
      previousClaimedBy: "a",
      executionId: first.executionId,
      reason: "execution_expired",
      cause: "replaced",
      status: "open",
      actor: "scope",
    });
    // Links and inbox belong to the agent.
    expect((await second.call("listPeers", {})).map(({ id }) => id)).toEqual(["b"]);
    expect(await second.pull()).toHaveLength(3);
    const commit = { reservationId: reservation?.id ?? "" };
    expect(await second.refused("commitInbox", commit)).toMatchObject({ code: "NOT_FOUND" });
    await second.call("claimTask", { taskId });
  });

  test("of an id whose execution had expired or retired replaces it all the same", async () => {
    const scope = await intercom().scope();
    const expired = await scope.agent("a", { leaseMs: 30_000 });
    const retired = await scope.agent("b");
    await retired.call("retire", {});
    await intercom().advance(30_000);
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    for (const old of [expired, retired]) {
      expect(await old.refused("retire", {})).toMatchObject({ details: { reason: "replaced" } });
    }
    for (const current of [a, b]) expect((await current.call("whoAmI", {})).agent.reachable).toBe(true);
  });
});

describe("heartbeats", () => {
  test("renew the lease", async () => {
    const agent = await (await intercom().scope()).agent("a", { leaseMs: 30_000 });
    await intercom().advance(29_999);
    await agent.call("heartbeat", { lifecycle: "idle", ready: false, leaseMs: 60_000 });
    const { identity } = await agent.call("whoAmI", {});
    expect(identity.leaseExpiresAt).toBe(intercom().clock.instant(60_000));
    await intercom().advance(59_999);
    expect(await agent.ready()).toMatchObject({ ready: true, reachable: true });
    // Not saying how long means the default.
    expect((await agent.call("whoAmI", {})).identity.leaseExpiresAt).toBe(intercom().clock.instant(300_000));
  });

  test("say how the agent is, with an event only when that changes", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a");
    for (const lifecycle of LIFECYCLES) {
      const ready = lifecycle === "ready";
      expect(await agent.call("heartbeat", { lifecycle, ready })).toMatchObject({
        lifecycle,
        ready,
        reachable: lifecycle !== "offline",
      });
    }
    await intercom().advance(1);
    const events = await scope.eventsOf(async () => {
      await agent.call("heartbeat", { lifecycle: "offline", ready: false });
      await agent.call("heartbeat", { lifecycle: "working", ready: true, summary: "busy" });
      await agent.call("heartbeat", { lifecycle: "working", ready: true });
      await agent.call("heartbeat", { lifecycle: "working", ready: false });
    });
    const leaseExpiresAt = intercom().clock.instant(LIMITS.leaseDefaultMs);
    const common = { executionId: agent.executionId, lifecycle: "working", leaseExpiresAt };
    expect(events).toEqual([
      ["agent.lifecycle_changed", "a", { ...common, ready: "true" }],
      ["agent.lifecycle_changed", "a", { ...common, ready: "false" }],
    ]);
    expect(await scope.call("getAgent", { agentId: "a" })).toMatchObject({ summary: "busy" });
  });

  test("move the times that show somebody is there", async () => {
    const agent = await (await intercom().scope()).agent("a");
    const registeredAt = intercom().clock.instant();
    await intercom().advance(1);
    expect(await agent.ready()).toMatchObject({
      registeredAt,
      updatedAt: intercom().clock.instant(),
      lastSeenAt: intercom().clock.instant(),
    });
  });

  test("that say ready wake a read that waits, and only when it was not ready before", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const waiting = a.call("reserveInbox", { waitMs: 25_000 });
    await a.ready();
    await b.tell(a);
    expect((await waiting)?.messages).toHaveLength(1);
  });
});

describe("the end of an execution", () => {
  test("comes when its lease runs out", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a", { leaseMs: 30_000 });
    await agent.ready();
    await agent.call("heartbeat", { lifecycle: "ready", ready: true, leaseMs: 30_000 });
    await intercom().advance(29_999);
    expect(await scope.call("getAgent", { agentId: "a" })).toMatchObject({ reachable: true });
    const events = await scope.eventsOf(() => intercom().advance(1));
    expect(events).toEqual([["agent.lease_expired", "a", { executionId: agent.executionId }]]);
    expect(await scope.call("getAgent", { agentId: "a" })).toMatchObject({
      reachable: false,
      ready: false,
      lifecycle: "offline",
    });
    expect(await agent.refused("heartbeat", { lifecycle: "ready", ready: true })).toMatchObject({
      details: { reason: "expired" },
    });
  });

  test("comes by itself, without anybody looking", async () => {
    const scope = await intercom().scope();
    await scope.agent("a", { leaseMs: 30_000 });
    const before = await scope.revision();
    const waiting = scope.call("listEvents", { after: before, waitMs: 25_000 });
    intercom().clock.advance(30_000);
    expect((await waiting).events.map(({ type }) => type)).toEqual(["agent.lease_expired"]);
  });

  test("comes by retiring, which may be repeated", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a");
    await agent.ready();
    const events = await scope.eventsOf(async () => {
      expect(await agent.call("retire", {})).toEqual({ retired: true });
      expect(await agent.call("retire", {})).toEqual({ retired: true });
    });
    expect(events).toEqual([
      [
        "agent.lifecycle_changed",
        "a",
        { executionId: agent.executionId, lifecycle: "offline", ready: "false", reason: "retired" },
      ],
    ]);
    expect(await agent.refused("whoAmI", {})).toMatchObject({ details: { reason: "retired" } });
    expect(await scope.call("listAgents", {})).toMatchObject([{ id: "a", reachable: false }]);
  });

  test("may be said after the lease has run out", async () => {
    const agent = await (await intercom().scope()).agent("a", { leaseMs: 30_000 });
    await intercom().advance(30_000);
    expect(await agent.call("retire", {})).toEqual({ retired: true });
  });

  test("frees what it had reserved", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    await b.tell(a);
    await a.call("reserveInbox", {});
    expect((await scope.eventsOf(() => a.call("retire", {}))).map(([type]) => type)).toEqual([
      "message.released",
      "agent.lifecycle_changed",
    ]);
  });

  test("ends the calls it has left open", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a");
    const { id: escalationId } = await agent.call("askHuman", { question: "q" });
    const waiting = [
      agent.refused("reserveInbox", { waitMs: 25_000 }),
      agent.refused("claimNextTask", { waitMs: 25_000 }),
      agent.refused("getEscalation", { escalationId, waitMs: 25_000 }),
    ];
    await agent.call("whoAmI", {});
    await scope.agent("a");
    for (const refusal of await Promise.all(waiting)) expect(refusal).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("is not brought about by a clock that somebody sets, nor by sleep", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a", { leaseMs: 30_000 });
    await intercom().jump(3_600_000);
    expect(await agent.call("whoAmI", {})).toMatchObject({
      identity: { leaseExpiresAt: intercom().clock.instant(30_000) },
      agent: { reachable: true },
    });
    await intercom().jump(-3_600_000);
    expect(await agent.call("whoAmI", {})).toMatchObject({ agent: { reachable: true } });
    await intercom().advance(30_000);
    expect(await agent.refused("whoAmI", {})).toMatchObject({ details: { reason: "expired" } });
  });
});

describe("taking an agent off the list", () => {
  test("hides it, keeps its history, and may be undone by registering again", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    await b.tell(a, { body: "waiting for you" });
    const events = await scope.eventsOf(async () => {
      expect(await scope.call("removeAgent", { agentId: "a" })).toEqual({ removed: true });
      expect(await scope.call("removeAgent", { agentId: "a" })).toEqual({ removed: false });
    });
    expect(events).toEqual([["agent.removed", "a", { executionId: a.executionId, actor: "scope" }]]);
    expect(await a.refused("whoAmI", {})).toMatchObject({ details: { reason: "retired" } });
    expect((await scope.call("listAgents", {})).map(({ id }) => id)).toEqual(["b"]);
    expect((await scope.call("listAgentsPage", {})).agents).toHaveLength(1);
    expect(await scope.refused("getAgent", { agentId: "a" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await b.call("listPeers", {})).toEqual([]);
    expect(await b.refused("sendMessage", { to: "a", body: "b" })).toMatchObject({ code: "PERMISSION_DENIED" });
    expect((await scope.call("listMessages", { agent: "a" })).messages).toHaveLength(1);
    const again = await scope.agent("a");
    expect((await again.pull()).map(({ body }) => body)).toEqual(["waiting for you"]);
    expect((await b.call("listPeers", {})).map(({ id }) => id)).toEqual(["a"]);
  });

  test("ends what it waits for", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a");
    const waiting = agent.refused("reserveInbox", { waitMs: 25_000 });
    await until("the call waits", async () => (await scope.call("listAgents", {})).length === 1);
    await scope.call("removeAgent", { agentId: "a" });
    expect(await waiting).toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

describe("a profile", () => {
  test("changes where it is said to, and nowhere else", async () => {
    const scope = await intercom().scope();
    const agent = await scope.agent("a", {
      summary: "old",
      metadata: { model: "m", pid: 1 },
      capabilities: [{ name: "x" }],
    });
    const events = await scope.eventsOf(async () => {
      expect(await agent.call("updateProfile", { displayName: "New" })).toMatchObject({
        displayName: "New",
        summary: "old",
        metadata: { model: "m", pid: 1 },
        capabilities: [{ name: "x" }],
      });
    });
    expect(events).toEqual([["agent.profile_changed", "a", { executionId: agent.executionId }]]);
    const changed = { summary: "", metadata: { host: "h" }, capabilities: [] };
    expect(await agent.call("updateProfile", changed)).toMatchObject({ ...changed, displayName: "New" });
  });
});

describe("lists", () => {
  test("show agents by registration time, pages by id", async () => {
    const scope = await intercom().scope();
    for (const id of ["c", "a", "b"]) {
      await scope.agent(id);
      await intercom().advance(1);
    }
    expect((await scope.call("listAgents", {})).map(({ id }) => id)).toEqual(["c", "a", "b"]);
    const first = await scope.call("listAgentsPage", { limit: 2 });
    expect(first.agents.map(({ id }) => id)).toEqual(["a", "b"]);
    const second = await scope.call("listAgentsPage", { limit: 2, after: first.nextCursor ?? "" });
    expect(second.agents.map(({ id }) => id)).toEqual(["c"]);
    expect(second).not.toHaveProperty("nextCursor");
    // Who registers again comes last.
    await scope.agent("c");
    expect((await scope.call("listAgents", {})).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("show what an agent owes", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const request = await b.tell(a, { mode: "request" });
    await b.tell(a);
    const owes = async () => (await scope.call("getAgent", { agentId: "a" })).owes;
    expect(await owes()).toEqual({ undelivered: 2, unanswered: 0 });
    await a.drain();
    expect(await owes()).toEqual({ undelivered: 0, unanswered: 1 });
    await a.tell(b, { mode: "response", responseTo: request });
    expect(await owes()).toEqual({ undelivered: 0, unanswered: 0 });
  });
});
