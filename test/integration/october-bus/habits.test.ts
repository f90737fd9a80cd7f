import { describe, expect, test } from "vitest";
import { exchange } from "../../support/http.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { Guest, guestAddress } from "./guest.ts";

/** What clients of 0.1 send, each in the manner of its language. */
const daemon = useDaemon({ octoberBusPort: 0 });

async function joined() {
  const scope = await daemon().scope();
  const owner = new Guest(daemon(), scope.token);
  const registration = { id: "alice", displayName: "Alice", capabilities: null, connectTo: null, leaseMs: 0 };
  const alice = new Guest(daemon(), (await owner.call("registerAgent", registration)).agentToken);
  const bobs = await owner.call("registerAgent", {
    id: "",
    displayName: "Bob",
    capabilities: [],
    connectTo: ["alice"],
  });
  const bob = new Guest(daemon(), bobs.agentToken);
  return { owner, alice, bob, bobId: bobs.agentId };
}

/** A request as it goes over the wire. */
async function raw(method: string, path: string, token: string, body?: unknown) {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await exchange(guestAddress(daemon()), { method, path, ...text }, { token });
  return { status: answer.status, result: (answer.body as { result?: unknown }).result };
}

describe("fields that say nothing", () => {
  test("an empty id is generated", async () => {
    expect((await joined()).bobId).toMatch(/^agent_[0-9a-f]{32}$/);
  });

  test.each([
    ["empty", { mode: "", responseTo: "", idempotencyKey: "", expiresInMs: 0, context: [] }],
    ["null", { mode: null, responseTo: null, idempotencyKey: null, expiresInMs: null, context: null }],
    ["left out", {}],
  ])("of a message: %s", async (_, fields) => {
    const { alice, bob, bobId } = await joined();
    const receipt = await alice.call("sendMessage", { to: bobId, body: "Hello", ...fields });
    expect(receipt.state).toBe("queued");
    const reservation = await bob.call("reserveInbox", { limit: 0, waitMs: 0 });
    const [message] = reservation?.messages ?? [];
    expect(message).toMatchObject({ mode: "notify", context: [] });
    expect(message).not.toHaveProperty("responseTo");
    expect(message).not.toHaveProperty("expiresAt");
  });

  test("of an item of context", async () => {
    const { alice, bob, bobId } = await joined();
    const context = [{ kind: "text", title: "Plan", text: "Go", uri: "", mediaType: null }];
    await alice.call("sendMessage", { to: bobId, body: "Hello", context });
    const reservation = await bob.call("reserveInbox", { limit: null, waitMs: null });
    expect(reservation?.messages[0]?.context).toEqual([{ kind: "text", title: "Plan", text: "Go" }]);
  });

  test("an empty key is no key: two messages", async () => {
    const { alice, bobId } = await joined();
    const send = () => alice.call("sendMessage", { to: bobId, body: "Hello", idempotencyKey: "" });
    expect((await send()).messageId).not.toBe((await send()).messageId);
  });

  test("of tasks, questions, streams and the rest", async () => {
    const { owner, alice, bobId } = await joined();
    const task = await alice.call("addTask", { title: "Write", description: null, dependencies: null });
    expect(task).toMatchObject({ description: "", dependencies: [] });
    await alice.call("claimTask", { taskId: task.id });
    const done = await alice.call("completeTask", { taskId: task.id, note: "" });
    expect(done).not.toHaveProperty("note");
    expect(await alice.call("askHuman", { question: "Well?", options: null })).toMatchObject({ options: [] });
    const stream = await owner.call("createOutputStream", { name: "s", retentionLimit: 0, publisherAgentIds: null });
    expect(stream).toMatchObject({ retentionLimit: 1000, publisherAgentIds: [] });
    const before = "2020-01-01T00:00:00Z";
    expect(await owner.call("pruneScope", { before, execute: null })).toMatchObject({ dryRun: true });
    expect(await alice.call("acknowledgeMessages", {})).toEqual({ acknowledged: 0 });
    expect(await alice.call("acknowledgeMessages", { messageIds: null })).toEqual({ acknowledged: 0 });
    const beat = await alice.call("heartbeat", { lifecycle: "working", leaseMs: null });
    expect(beat).toMatchObject({ lifecycle: "working", ready: false });
    await owner.call("addOutputPublisher", { streamId: stream.id, agentId: bobId });
  });

  test("still count as missing where a field is needed", async () => {
    const { alice } = await joined();
    for (const [name, input] of [
      ["sendMessage", { to: "", body: "Hello" }],
      ["sendMessage", { to: "bob", body: null }],
      ["addTask", { title: "" }],
      ["askHuman", { question: null }],
    ] as const) {
      await expect(alice.call(name, input)).rejects.toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
    }
  });
});

describe("requests", () => {
  test("with an empty cursor, without a body, and with an empty one", async () => {
    const { owner, alice, bobId } = await joined();
    const { token } = owner;
    expect(await raw("GET", "/v1/tasks/page?limit=100&after=", token)).toEqual({ status: 200, result: { tasks: [] } });
    expect(await raw("GET", "/v1/events?after=0&limit=50&waitMs=0", token)).toMatchObject({ status: 200 });
    expect(await raw("GET", "/v1/events?limit=0", token)).toMatchObject({ status: 400 });
    const { id } = await owner.call("createOutputStream", { name: "s" });
    const publisher = `/v1/output-streams/${id}/publishers/${bobId}`;
    expect(await raw("PUT", publisher, token)).toMatchObject({ status: 200, result: { publisherAgentIds: [bobId] } });
    expect(await raw("DELETE", publisher, token)).toMatchObject({ status: 200, result: { publisherAgentIds: [] } });
    expect(await raw("DELETE", `/v1/output-streams/${id}`, token)).toEqual({ status: 200, result: { removed: true } });
    const task = await alice.call("addTask", { title: "Write" });
    expect(await raw("POST", `/v1/tasks/${task.id}/claim`, alice.token, {})).toMatchObject({ status: 200 });
    expect(await raw("POST", `/v1/tasks/${task.id}/release`, alice.token)).toMatchObject({ status: 200 });
    expect(await raw("POST", "/v1/inbox/reserve", alice.token, { limit: 50, waitMs: 0 })).toEqual({
      status: 200,
      result: null,
    });
    expect(await raw("POST", "/v1/inbox/res_unknown/release", alice.token, {})).toMatchObject({ status: 200 });
  });

  test("of a managed session: gate, registration, heartbeats, retirement", async () => {
    const scope = await daemon().scope();
    const owner = new Guest(daemon(), scope.token);
    const health = (await exchange(guestAddress(daemon()), { method: "GET", path: "/health" })).body as {
      features: string[];
    };
    expect(health).toMatchObject({ name: "october-bus", protocolVersion: "0.1", status: "ready" });
    expect(health.features).toContain("session-retirement");
    const { agentToken } = await owner.call("registerAgent", { id: "s", displayName: "Session", leaseMs: 30_000 });
    const session = new Guest(daemon(), agentToken);
    await session.call("heartbeat", { lifecycle: "starting", ready: false, leaseMs: 30_000 });
    expect(await session.call("heartbeat", { lifecycle: "ready", ready: true, leaseMs: 30_000 })).toMatchObject({
      ready: true,
      reachable: true,
    });
    expect(await session.call("retire", {})).toEqual({ retired: true });
    expect(await session.call("retire", {})).toEqual({ retired: true });
    await expect(session.call("heartbeat", { lifecycle: "ready", ready: true })).rejects.toMatchObject({ status: 401 });
    expect(await owner.call("listAgents", {})).toMatchObject([{ id: "s", lifecycle: "offline", reachable: false }]);
  });
});
