import { describe, expect, test } from "vitest";
import { LIMITS, type OperationInput } from "../../../protocol/index.ts";
import { AgentActor, type ScopeActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

async function issue(scope: ScopeActor, input: Partial<OperationInput<"createConnector">> = {}) {
  const { connector, credential } = await scope.call("createConnector", { name: "claude", ...input });
  const connect = (given: OperationInput<"connect"> = {}) => intercom().call("connect", given, { token: credential });
  return {
    id: connector.id,
    credential,
    connect,
    /** Connects and gives the agent that came of it. */
    window: async (session?: string) => {
      const connection = await connect(session === undefined ? {} : { session });
      return new AgentActor(intercom(), scope, connection);
    },
  };
}

const connected = async (scope: ScopeActor) =>
  (await scope.call("listConnectors", {})).map(({ connectedAgents }) => connectedAgents);

describe("a connector", () => {
  test("holds what it was made with, and lists show no secret", async () => {
    const scope = await intercom().scope();
    const input = { name: "Claude Code (laptop)", agentName: "claude", toolSet: "bus", leaseMs: 60_000 } as const;
    const events = await scope.eventsOf(() => scope.call("createConnector", input));
    const [connector] = await scope.call("listConnectors", {});
    const now = intercom().clock.instant();
    expect(connector).toEqual({
      id: expect.stringMatching(/^conn_[0-9a-f]{32}$/),
      scopeId: scope.id,
      ...input,
      enabled: true,
      connectedAgents: [],
      createdAt: now,
      updatedAt: now,
    });
    expect(events).toEqual([
      ["connector.created", connector?.id, { agentName: "claude", toolSet: "bus", actor: "scope" }],
    ]);
  });

  test.each([
    ["Claude Code (laptop)", "Claude-Code-laptop"],
    ["日本", "agent"],
    ["x".repeat(200), "x".repeat(128)],
  ])("called %s names its agents by what an identifier may have of it", async (name, agentName) => {
    const scope = await intercom().scope();
    const { connector, credential } = await scope.call("createConnector", { name });
    expect(connector).toMatchObject({ agentName, toolSet: "team", leaseMs: LIMITS.leaseDefaultMs });
    expect(credential).toMatch(new RegExp(`^${connector.id}\\.[\\w-]{43}$`));
  });

  test("has a name of its own in its scope, until it is revoked", async () => {
    const scope = await intercom().scope();
    const { id } = await issue(scope);
    expect(await scope.refused("createConnector", { name: "claude" })).toMatchObject({
      code: "CONFLICT",
      details: { connectorId: id },
    });
    await issue(await intercom().scope());
    await scope.call("revokeConnector", { connectorId: id });
    await issue(scope);
  });

  test("is one of so many at most", async () => {
    const scope = await intercom().scope();
    for (let n = 0; n < LIMITS.connectorsPerScope; n += 1) await issue(scope, { name: `c${n}` });
    const limit = LIMITS.connectorsPerScope;
    expect(await scope.refused("createConnector", { name: "one more" })).toMatchObject({
      code: "BACKPRESSURE",
      details: { limit },
    });
    const [first] = await scope.call("listConnectors", {});
    await scope.call("revokeConnector", { connectorId: first?.id ?? "" });
    await issue(scope, { name: "one more" });
  });
});

describe("whoever connects", () => {
  test("is an agent from then on, and hears how to stay one", async () => {
    const scope = await intercom().scope();
    const { id, connect } = await issue(scope, { toolSet: "bus", leaseMs: 60_000 });
    const metadata = { harness: "claude-code", sessionId: "s" };
    const events = await scope.eventsOf(async () => {
      expect(await connect({ session: "one", displayName: "Claude ü", metadata })).toEqual({
        scopeId: scope.id,
        agentId: "claude",
        executionId: expect.stringMatching(/^exec_/),
        agentToken: expect.stringMatching(/^[\w-]{43}$/),
        leaseExpiresAt: intercom().clock.instant(60_000),
        connectorId: id,
        toolSet: "bus",
        leaseMs: 60_000,
      });
    });
    expect(events).toMatchObject([["agent.registered", "claude", { connectorId: id, lifecycle: "starting" }]]);
    expect(await scope.call("getAgent", { agentId: "claude" })).toMatchObject({
      displayName: "Claude ü",
      metadata,
      reachable: true,
    });
    expect(await scope.call("listConnectors", {})).toMatchObject([
      { connectedAgents: ["claude"], lastConnectedAt: intercom().clock.instant() },
    ]);
  });

  test("is somebody else in each window, and in each call without a session", async () => {
    const scope = await intercom().scope();
    const { window } = await issue(scope);
    const ids = [await window("one"), await window("two"), await window(), await window()].map(({ id }) => id);
    expect(ids).toEqual(["claude", "claude-2", "claude-3", "claude-4"]);
    expect(await connected(scope)).toEqual([ids]);
  });

  test("takes the first name that has become free, and finds what waits for it", async () => {
    const scope = await intercom().scope();
    const { window } = await issue(scope);
    const [first, second] = [await window("one"), await window("two")];
    await scope.call("updateScope", { linkPolicy: "open" });
    await second.tell(first, { body: "for whoever is claude" });
    await first.call("retire", {});
    await second.call("retire", {});
    const next = await window("three");
    expect(next.id).toBe("claude");
    expect((await next.pull()).map(({ body }) => body)).toEqual(["for whoever is claude"]);
    // Its session has lost the name to another one.
    expect((await window("one")).id).toBe("claude-2");
  });

  test("never becomes an agent that came in another way, not even one that is away or was removed", async () => {
    const scope = await intercom().scope();
    const mine = await scope.agent("claude");
    await mine.call("retire", {});
    await scope.agent("claude-2");
    await scope.call("removeAgent", { agentId: "claude-2" });
    const other = await issue(scope, { name: "other", agentName: "claude-3" });
    await (await other.window()).call("retire", {});
    const { window } = await issue(scope);
    expect((await window()).id).toBe("claude-4");
  });

  test("is refused with a sentence when every name is taken", async () => {
    const scope = await intercom().scope();
    const agentName = "x".repeat(LIMITS.identifierLength);
    const { window, credential } = await issue(scope, { agentName });
    for (let n = 0; n < LIMITS.agentsPerConnector; n += 1) await window();
    const [agents] = await connected(scope);
    expect(new Set(agents).size).toBe(LIMITS.agentsPerConnector);
    expect(agents?.every((id) => id.length <= LIMITS.identifierLength)).toBe(true);
    expect(await intercom().refused("connect", {}, { token: credential })).toMatchObject({
      code: "BACKPRESSURE",
      message: expect.stringContaining("are taken"),
      details: { limit: LIMITS.agentsPerConnector },
    });
  });
});

describe("a session that connects again", () => {
  test("goes on in the same execution with what it has claimed and reserved; its old token says why it is refused", async () => {
    const scope = await intercom().scope({ linkPolicy: "open" });
    const { window, connect } = await issue(scope, { leaseMs: 60_000 });
    const before = await window("one");
    await (await scope.agent("ben")).tell(before);
    const reservation = await before.call("reserveInbox", {});
    const { id: taskId } = await scope.call("addTask", { title: "t" });
    await before.call("claimTask", { taskId });
    await before.call("updateProfile", { summary: "works", capabilities: [{ name: "review" }] });
    await intercom().advance(20_000);
    const events = await scope.eventsOf(async () => {
      const after = await window("one");
      expect(after.executionId).toBe(before.executionId);
      expect(await before.refused("whoAmI", {})).toMatchObject({
        code: "UNAUTHENTICATED",
        details: { reason: "replaced" },
      });
      expect(await before.refused("listTasks", {})).toMatchObject({ details: { reason: "replaced" } });
      expect(await before.refused("retire", {})).toMatchObject({ details: { reason: "replaced" } });
      const { agent, identity } = await after.call("whoAmI", {});
      expect(agent).toMatchObject({ summary: "works", capabilities: [{ name: "review" }] });
      expect(identity.leaseExpiresAt).toBe(intercom().clock.instant(60_000));
    });
    expect(events).toEqual([]);
    const { agentToken: token } = await connect({ session: "one", displayName: "Renamed" });
    const committed = await intercom().call("commitInbox", { reservationId: reservation?.id ?? "" }, { token });
    expect(committed).toHaveLength(1);
    expect(await intercom().call("completeTask", { taskId }, { token })).toMatchObject({ status: "done" });
    expect(await scope.call("getAgent", { agentId: "claude" })).toMatchObject({ displayName: "Renamed" });
  });

  test("wakes a call that the old token has left waiting", async () => {
    const scope = await intercom().scope();
    const { window } = await issue(scope);
    const before = await window("one");
    const waiting = before.refused("reserveInbox", { waitMs: 20_000 });
    await intercom().settle();
    await window("one");
    expect(await waiting).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "replaced" } });
  });

  test.each([
    ["its lease ran out", () => intercom().advance(70_000)],
    ["it retired", (agent: AgentActor) => agent.call("retire", {})],
    [
      "its agent was removed",
      (agent: AgentActor, scope: ScopeActor) => scope.call("removeAgent", { agentId: agent.id }),
    ],
  ])("after %s is the same agent in a new execution, with what it had said of itself", async (_what, end) => {
    const scope = await intercom().scope();
    const { window } = await issue(scope, { leaseMs: 60_000 });
    const agent = await window("one");
    await agent.call("updateProfile", { summary: "works", metadata: { model: "m" }, displayName: "C" });
    await end(agent, scope);
    const again = await window("one");
    expect(again.id).toBe("claude");
    expect(again.executionId).not.toBe(agent.executionId);
    expect((await again.call("whoAmI", {})).agent).toMatchObject({
      summary: "works",
      metadata: { model: "m" },
      displayName: "C",
    });
    expect((await scope.call("listAgents", {})).map(({ id }) => id)).toEqual(["claude"]);
  });

  test("whose agent the owner has registered for somebody else becomes another one", async () => {
    const scope = await intercom().scope();
    const { window } = await issue(scope);
    const agent = await window("one");
    const theirs = await scope.agent("claude");
    expect(await agent.refused("whoAmI", {})).toMatchObject({ details: { reason: "replaced" } });
    await theirs.call("retire", {});
    expect((await window("one")).id).toBe("claude-2");
    expect((await window("two")).id).toBe("claude-3");
    expect(await connected(scope)).toEqual([["claude-2", "claude-3"]]);
  });

  test("of another connector is another session", async () => {
    const scope = await intercom().scope();
    const [one, two] = [await issue(scope), await issue(scope, { name: "other", agentName: "claude" })];
    expect([(await one.window("same")).id, (await two.window("same")).id]).toEqual(["claude", "claude-2"]);
  });
});

describe("a rotated connector", () => {
  test("has a new secret, and its agents go on", async () => {
    const scope = await intercom().scope();
    const { id, window, credential } = await issue(scope);
    const agent = await window("one");
    const events = await scope.eventsOf(async () => {
      const rotated = await scope.call("rotateConnector", { connectorId: id });
      expect(rotated.connector.connectedAgents).toEqual(["claude"]);
      expect(await intercom().refused("connect", {}, { token: credential })).toMatchObject({
        code: "UNAUTHENTICATED",
        details: { reason: "unknown" },
      });
      expect((await agent.call("whoAmI", {})).agent.reachable).toBe(true);
      const again = await intercom().call("connect", { session: "one" }, { token: rotated.credential });
      expect(again.executionId).toBe(agent.executionId);
    });
    expect(events).toMatchObject([["connector.rotated", id, { agentName: "claude", toolSet: "team" }]]);
    expect(await scope.refused("rotateConnector", { connectorId: "conn_none" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("works again after the scope's token was replaced, which had disabled it and ended its agents", async () => {
    const scope = await intercom().scope();
    const { id, window, credential } = await issue(scope);
    const agent = await window("one");
    await intercom().admin.call("rotateScopeToken", { scopeId: scope.id });
    expect(await agent.refused("whoAmI", {})).toMatchObject({ details: { reason: "retired" } });
    expect(await intercom().refused("connect", {}, { token: credential })).toMatchObject({ code: "UNAUTHENTICATED" });
    const owner = scope.viaAdmin;
    expect(await owner.call("listConnectors", {})).toMatchObject([{ enabled: false, connectedAgents: [] }]);
    const rotated = await owner.call("rotateConnector", { connectorId: id });
    expect(rotated.connector.enabled).toBe(true);
    const again = await intercom().call("connect", { session: "one" }, { token: rotated.credential });
    expect(again.agentId).toBe("claude");
  });
});

describe("a revoked connector", () => {
  test("ends what it runs at once: claims are free, waits are over, agents and inboxes stay", async () => {
    const scope = await intercom().scope({ linkPolicy: "open" });
    const { id, window, credential } = await issue(scope);
    const agent = await window("one");
    const away = await window("two");
    await away.call("retire", {});
    const ben = await scope.agent("ben");
    const { id: taskId } = await scope.call("addTask", { title: "t" });
    await agent.call("claimTask", { taskId });
    const waiting = agent.refused("reserveInbox", { waitMs: 20_000 });
    await intercom().settle();
    const events = await scope.eventsOf(async () => {
      expect(await scope.call("revokeConnector", { connectorId: id })).toEqual({ revoked: true });
      expect(await scope.call("revokeConnector", { connectorId: id })).toEqual({ revoked: false });
    });
    expect(events).toMatchObject([
      ["task.released", taskId, { cause: "revoked", previousClaimedBy: "claude" }],
      ["message.accepted", expect.any(String), { from: "intercom", to: "claude" }],
      ["agent.lifecycle_changed", "claude", { lifecycle: "offline", ready: "false", reason: "revoked" }],
      ["connector.revoked", id, { agentName: "claude", executions: "1" }],
    ]);
    expect(await waiting).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "retired" } });
    expect(await agent.refused("whoAmI", {})).toMatchObject({ details: { reason: "retired" } });
    expect(await intercom().refused("connect", {}, { token: credential })).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await scope.call("listConnectors", {})).toEqual([]);
    expect(await scope.call("getAgent", { agentId: "claude" })).toMatchObject({ reachable: false });
    await ben.call("sendMessage", { to: "claude", body: "for later" });
    const next = await issue(scope, { name: "next", agentName: "claude" });
    const heir = await next.window("one");
    expect(heir.id).toBe("claude");
    expect((await heir.pull()).map(({ body }) => body)).toEqual([expect.stringContaining("(revoked)"), "for later"]);
  });
});

test("connectors and their agents outlive the daemon, and go with their scope", async () => {
  const scope = await intercom().scope();
  const { window, credential } = await issue(scope);
  const agent = await window("one");
  await intercom().restart();
  expect((await window("one")).executionId).toBe(agent.executionId);
  await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
  expect(await intercom().refused("connect", {}, { token: credential })).toMatchObject({ code: "UNAUTHENTICATED" });
});

test("an archive holds no connector, and the scope it is imported into has none", async () => {
  const scope = await intercom().scope();
  const { window, id } = await issue(scope);
  await (await window("one")).call("retire", {});
  const archive = await intercom().admin.call("exportScope", { scopeId: scope.id });
  expect(JSON.stringify(archive)).not.toContain(`"name":"claude"`);
  await intercom().admin.call("deleteScope", { scopeId: scope.id, confirmScopeId: scope.id });
  await intercom().admin.call("importScope", archive);
  expect(await scope.viaAdmin.call("listConnectors", {})).toEqual([]);
  expect((await scope.viaAdmin.call("listAgents", {})).map((agent) => agent.id)).toEqual(["claude"]);
  expect(id).toMatch(/^conn_/);
});
