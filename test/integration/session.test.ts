import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  AdminClient,
  AgentSession,
  type FollowedEvent,
  type IntercomError,
  ScopeClient,
  type SessionOptions,
  type SessionState,
} from "../../client/index.ts";
import { type Daemon, startDaemon } from "../../daemon/index.ts";

const WITHIN = { timeout: 15_000, interval: 20 };

/** The daemon's clock, ahead of the real one by what the test says. */
const clock = { ahead: 0, now: () => Date.now() + clock.ahead, jumped: false, takeJump: () => 0 };

let directory: string;
let daemon: Daemon;
let scopeToken: string;
let sessions: AgentSession[];

async function startHere(port = 0): Promise<void> {
  daemon = await startDaemon({
    dataDir: join(directory, "data"),
    runtimeDir: join(directory, "run"),
    port,
    env: {},
    clock,
  });
}

/** Stops the daemon, and starts it again on the same port when the returned function is called. */
async function stopHere(): Promise<() => Promise<void>> {
  const port = Number(new URL(daemon.address).port);
  await daemon.stop();
  return () => startHere(port);
}

function admin(): AdminClient {
  return new AdminClient({ address: daemon.address, adminToken: daemon.adminToken });
}

function owner(): ScopeClient {
  return admin().scope("team");
}

async function start(id: string, options: Partial<SessionOptions> = {}): Promise<AgentSession> {
  const session = await AgentSession.start({
    address: daemon.address,
    scopeToken,
    registration: { id, displayName: id, leaseMs: 30_000 },
    heartbeatIntervalMs: 100,
    ...options,
  } as SessionOptions);
  sessions.push(session);
  return session;
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "intercom-session-"));
  clock.ahead = 0;
  sessions = [];
  await startHere();
  ({ scopeToken } = await admin().createScope({ id: "team", linkPolicy: "open" }));
});

afterEach(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  await daemon.stop();
  rmSync(directory, { recursive: true, force: true });
});

describe("a session", () => {
  it("registers, says how it is, and retires", async () => {
    const session = await start("a", { initialLifecycle: "starting" });
    expect(await session.client.whoAmI()).toMatchObject({
      identity: { scopeId: "team", agentId: "a", executionId: session.executionId },
      agent: { lifecycle: "starting", ready: false, reachable: true },
    });
    expect(await session.setState({ lifecycle: "working", ready: true, summary: "tests" })).toMatchObject({
      lifecycle: "working",
      summary: "tests",
    });
    await session.close();
    expect(await owner().getAgent({ agentId: "a" })).toMatchObject({ lifecycle: "offline", reachable: false });
    expect(await session.done).toBeUndefined();
  });

  it("survives a restart of the daemon and goes on reading its inbox", async () => {
    const states: SessionState[] = [];
    const session = await start("a", { onStateChange: (state) => states.push(state) });
    const seen: string[] = [];
    session.onMessage(({ body }) => seen.push(body));
    await owner().sendHumanMessage({ to: "a", body: "before" });
    await vi.waitFor(() => expect(seen).toEqual(["before"]), WITHIN);
    const executionId = session.executionId;
    const startAgain = await stopHere();
    await vi.waitFor(() => expect(session.state).toBe("reconnecting"), WITHIN);
    await startAgain();
    await vi.waitFor(() => expect(session.state).toBe("live"), WITHIN);
    await owner().sendHumanMessage({ to: "a", body: "after" });
    await vi.waitFor(() => expect(seen).toEqual(["before", "after"]), WITHIN);
    expect(session.executionId).toBe(executionId);
    expect(states).toEqual(["live", "reconnecting", "live"]);
    await vi.waitFor(async () =>
      expect(await owner().listMessages({ agent: "a", state: "acknowledged" })).toHaveProperty("messages.length", 2),
    );
  });

  it("takes a new lease when the old one ran out, and keeps its state", async () => {
    const session = await start("a");
    await session.setState({ lifecycle: "working", ready: true });
    const seen: string[] = [];
    session.onMessage(({ body }) => seen.push(body));
    const before = session.executionId;
    clock.ahead = 60_000;
    await vi.waitFor(() => expect(session.executionId).not.toBe(before), WITHIN);
    await vi.waitFor(() => expect(session.state).toBe("live"), WITHIN);
    expect(await session.client.whoAmI()).toMatchObject({ agent: { lifecycle: "working", ready: true } });
    await owner().sendHumanMessage({ to: "a", body: "hello" });
    await vi.waitFor(() => expect(seen).toEqual(["hello"]), WITHIN);
  });

  it("comes back after a rotated token if its owner may still register it, and otherwise ends", async () => {
    const allowed = await start("a", { scope: owner() } as Partial<SessionOptions>);
    const refused = await start("b");
    const before = allowed.executionId;
    await admin().rotateScopeToken({ scopeId: "team" });
    await vi.waitFor(() => expect(allowed.executionId).not.toBe(before), WITHIN);
    expect(await refused.done).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(refused.state).toBe("ended");
  });

  it("with a connector goes on as one agent through a restart and a lost lease, until that is revoked", async () => {
    const { connector, credential } = await owner().createConnector({ name: "claude", leaseMs: 30_000 });
    const connect = async (session?: string) => {
      const connected = await AgentSession.connect({
        address: daemon.address,
        connectorToken: credential,
        heartbeatIntervalMs: 100,
        ...(session === undefined ? {} : { connection: { session } }),
      });
      sessions.push(connected);
      return connected;
    };
    const [one, two] = [await connect("one"), await connect()];
    expect([one.agentId, two.agentId, one.toolSet]).toEqual(["claude", "claude-2", "team"]);
    const before = one.executionId;
    await (await stopHere())();
    await vi.waitFor(() => expect([one.state, two.state]).toEqual(["live", "live"]), WITHIN);
    clock.ahead = 40_000;
    await vi.waitFor(() => expect(one.executionId).not.toBe(before), WITHIN);
    await vi.waitFor(() => expect([one.state, one.agentId]).toEqual(["live", "claude"]), WITHIN);
    const again = await connect("one");
    expect(again.executionId).toBe(one.executionId);
    expect(await one.done).toMatchObject({ details: { reason: "replaced" } });
    await owner().revokeConnector({ connectorId: connector.id });
    expect(await again.done).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await owner().getAgent({ agentId: "claude" })).toMatchObject({ reachable: false });
  });

  it("ends when another session takes over", async () => {
    const first = await start("a");
    first.onMessage(() => {});
    const second = await start("a");
    expect(await first.done).toMatchObject({ code: "UNAUTHENTICATED", details: { reason: "replaced", agentId: "a" } });
    expect(await second.client.whoAmI()).toMatchObject({ identity: { executionId: second.executionId } });
    await first.close();
    expect(second.state).toBe("live");
  });
});

describe("the inbox", () => {
  it("delivers a message five times to a handler that fails, then sets it aside", async () => {
    const session = await start("a");
    const attempts: number[] = [];
    session.onMessage(
      (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error("I cannot read this");
      },
      { retryDelayMs: () => 10 },
    );
    const { messageId } = await owner().sendHumanMessage({ to: "a", body: "x" });
    await vi.waitFor(async () => expect((await owner().getMessage({ messageId })).state).toBe("dead_lettered"), WITHIN);
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    expect(await owner().getMessage({ messageId })).toMatchObject({
      deadLetterReason: "I cannot read this",
      deliveryCount: 5,
    });
  });

  it("loses nothing and handles nothing twice while the daemon restarts under load", async () => {
    const session = await start("a");
    const seen: string[] = [];
    session.onMessage(async ({ body }) => {
      seen.push(body);
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const bodies = Array.from({ length: 40 }, (_, index) => `m${index}`);
    for (const body of bodies) await owner().sendHumanMessage({ to: "a", body });
    const startAgain = await stopHere();
    await startAgain();
    await vi.waitFor(() => expect(seen).toHaveLength(40), { ...WITHIN, timeout: 25_000 });
    expect(new Set(seen).size).toBe(40);
    await vi.waitFor(async () => {
      const { messages } = await owner().listMessages({ agent: "a", state: "acknowledged", limit: 100 });
      expect(messages).toHaveLength(40);
    }, WITHIN);
  });

  it("is drained once, and replies to the human", async () => {
    const session = await start("a");
    await owner().sendHumanMessage({ to: "a", body: "status?", mode: "request" });
    await owner().sendHumanMessage({ to: "a", body: "thanks" });
    const count = await session.drainInbox(async (message, { reply }) => {
      if (message.mode === "request") await reply("green");
    });
    expect(count).toBe(2);
    const { messages } = await owner().listMessages({ agent: "a", peerKind: "human" });
    expect(messages.some((message) => message.toKind === "human" && message.body === "green")).toBe(true);
  });
});

describe("asking", () => {
  it("brings the response to whoever asked, from inside a handler too", async () => {
    const answerer = await start("b");
    answerer.onMessage(async ({ body, mode }, { reply }) => {
      if (mode === "request") await reply(`${body}!`);
    });
    const asker = await start("a");
    // No reader in the asker's inbox yet.
    expect((await asker.ask("b", "one")).body).toBe("one!");
    const toAsker = async () => (await owner().listMessages({ agent: "a" })).messages.map((message) => message.state);
    await vi.waitFor(async () => expect(await toAsker()).toEqual(["acknowledged", "acknowledged"]), WITHIN);
    const others: string[] = [];
    asker.onMessage(async ({ body }) => {
      others.push(body, (await asker.ask("b", "inner")).body);
    });
    const replies = await Promise.all(["two", "three"].map((body) => asker.ask("b", body)));
    expect(replies.map((reply) => reply.body)).toEqual(["two!", "three!"]);
    await owner().sendHumanMessage({ to: "a", body: "go" });
    await vi.waitFor(() => expect(others).toEqual(["go", "inner!"]), WITHIN);
    await vi.waitFor(async () => {
      const { messages } = await owner().listMessages({ agent: "a" });
      expect(messages.every((message) => message.state === "acknowledged")).toBe(true);
    }, WITHIN);
  });

  it("survives a restart of the daemon between request and response", async () => {
    const asker = await start("a");
    asker.onMessage(() => {});
    const answerer = await start("b");
    const asked = asker.ask("b", "well?", { timeoutMs: 20_000 });
    await vi.waitFor(async () => expect((await owner().listMessages({ agent: "b" })).messages).toHaveLength(1), WITHIN);
    const startAgain = await stopHere();
    await startAgain();
    answerer.onMessage((_, { reply }) => reply("yes"));
    expect((await asked).body).toBe("yes");
  });

  it("waits for the human through a restart, and keeps the copy of the answer out of the inbox", async () => {
    const session = await start("a");
    const others: string[] = [];
    session.onMessage(({ body }) => others.push(body));
    const asked = session.askHuman("Merge?", { options: ["yes", "no"] });
    const pending = async () => (await owner().listEscalations())[0]?.id as string;
    await vi.waitFor(async () => expect(await pending()).toBeDefined(), WITHIN);
    const startAgain = await stopHere();
    await startAgain();
    const escalationId = await pending();
    await owner().resolveEscalation({ escalationId, answer: "yes" });
    expect(await asked).toMatchObject({ id: escalationId, status: "resolved", answer: "yes" });
    await vi.waitFor(async () => {
      const { messages } = await owner().listMessages({ agent: "a" });
      expect(messages.map((message) => message.state)).toEqual(["acknowledged"]);
    }, WITHIN);
    expect(others).toEqual([]);
    expect(await owner().listEscalations()).toHaveLength(1);
  });

  it("returns an expired question, and fails when its own time is over", async () => {
    const session = await start("a");
    expect((await session.askHuman("Now?", { expiresInMs: 1_000 })).status).toBe("expired");
    await expect(session.askHuman("Later?", { timeoutMs: 100 })).rejects.toMatchObject({
      details: { reason: "timeout" },
    });
    await expect(session.ask("nobody", "?")).rejects.toSatisfy((error: IntercomError) =>
      ["NOT_FOUND", "PERMISSION_DENIED"].includes(error.code),
    );
  });
});

describe("tasks and events", () => {
  it("claims, completes, and gives back", async () => {
    const session = await start("a");
    const added = await owner().addTask({ title: "Build" });
    await expect(session.withTask(added.id, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect((await owner().getTask({ taskId: added.id })).status).toBe("open");
    const done = await session.withTask("next", async (task, { progress }) => {
      await progress("progress", "half");
      return `built ${task.title}`;
    });
    expect(done).toMatchObject({ id: added.id, status: "done", note: "built Build" });
    expect(await session.withTask("next", () => "x")).toBeNull();
  });

  it("are followed by admin and owner, across a restart", async () => {
    const controller = new AbortController();
    const collect = async (stream: AsyncIterable<FollowedEvent>, into: FollowedEvent[]) => {
      for await (const item of stream) into.push(item);
    };
    const scopeSeen: FollowedEvent[] = [];
    const byToken = new ScopeClient({ address: daemon.address, scopeToken });
    const following = collect(byToken.followEvents({ after: 0, signal: controller.signal }), scopeSeen);
    const adminSeen: FollowedEvent[] = [];
    const adminFollowing = collect(admin().followEvents({ after: 0, signal: controller.signal }), adminSeen);
    const adminFailure = adminFollowing.catch((error: unknown) => error);
    await owner().addTask({ title: "one" });
    const created = (items: FollowedEvent[]) => items.filter((item) => item.event?.type === "task.created");
    await vi.waitFor(() => expect([created(scopeSeen).length, created(adminSeen).length]).toEqual([1, 1]), WITHIN);
    // The admin token dies with the daemon, the scope token does not.
    const startAgain = await stopHere();
    await startAgain();
    await owner().addTask({ title: "two" });
    await vi.waitFor(() => expect(created(scopeSeen)).toHaveLength(2), WITHIN);
    expect(scopeSeen.map((item) => item.sequence)).toEqual(scopeSeen.map((_, index) => index + 1));
    expect(await adminFailure).toMatchObject({ code: "UNAUTHENTICATED" });
    controller.abort();
    await following;
  });
});
