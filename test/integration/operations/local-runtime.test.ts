import { beforeAll, describe, expect, test } from "vitest";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/**
 * The checks of the local-runtime profile of October Bus 0.1, in their order, in one scope, as far as their routes exist
 * here. Their numbers are those of that profile; 3, 6, 7, 8, 20 and 22 are about archives, A2A, outputs, retention and MCP.
 * One story in many steps, so unlike other tests these keep their order.
 */
describe("local-runtime", { shuffle: false }, () => {
  const intercom = useDaemon();
  const lease = { leaseMs: 30_000 };
  let scope: ScopeActor;
  let planner: AgentActor;
  let reviewer: AgentActor;
  let request = "";
  const task = { first: "", second: "" };

  beforeAll(async () => {
    scope = await intercom().scope({ id: "conformance-1" });
  });

  test("1 health-and-version", async () => {
    expect(await intercom().call("health", {})).toMatchObject({ protocolVersion: "1.0", status: "ready" });
  });

  test("2 scope-authority", async () => {
    expect(scope.id).toBe("conformance-1");
    expect(await intercom().refused("createScope", { id: "another" })).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("4 registration-and-peer-link", async () => {
    planner = await scope.agent("planner", { ...lease, displayName: "Planner", capabilities: [{ name: "planning" }] });
    reviewer = await scope.agent("reviewer", {
      ...lease,
      displayName: "Reviewer",
      capabilities: [{ name: "review" }],
      connectTo: ["planner"],
    });
  });

  test("5 scope-route-authority-errors", async () => {
    expect(await planner.refused("listAgents", {})).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await intercom().refused("listAgents", {})).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("9 presence-and-discovery", async () => {
    for (const agent of [planner, reviewer]) {
      await agent.call("heartbeat", { lifecycle: "ready", ready: true, ...lease });
    }
    expect(await planner.call("listPeers", {})).toMatchObject([{ id: "reviewer", lifecycle: "ready" }]);
    expect(await reviewer.call("listPeers", {})).toMatchObject([{ id: "planner" }]);
  });

  test("10 durable-request-and-idempotency", async () => {
    const input = {
      to: "reviewer",
      body: "Please review the plan",
      mode: "request" as const,
      idempotencyKey: "review-1",
      context: [{ kind: "text" as const, title: "Plan", text: "Step one" }],
    };
    request = (await planner.call("sendMessage", input)).messageId;
    expect((await planner.call("sendMessage", input)).messageId).toBe(request);
    expect(await planner.refused("sendMessage", { ...input, body: "Another" })).toMatchObject({ code: "CONFLICT" });
  });

  test("11 reservation-delivery-and-acknowledgement", async () => {
    const reservation = await reviewer.call("reserveInbox", { limit: 10 });
    expect(reservation?.messages.map(({ id }) => id)).toEqual([request]);
    const messages = await reviewer.call("commitInbox", { reservationId: reservation?.id ?? "" });
    expect(messages).toMatchObject([{ id: request, state: "delivered" }]);
    expect(await reviewer.call("acknowledgeMessages", { messageIds: [request] })).toEqual({ acknowledged: 1 });
  });

  test("12 correlated-response", async () => {
    const response = await reviewer.tell(planner, { mode: "response", responseTo: request, body: "Looks good" });
    expect((await planner.drain()).map(({ id }) => id)).toEqual([response]);
    expect(await planner.call("getReceipt", { messageId: request })).toMatchObject({
      responseMessageId: response,
      repliedAt: expect.any(String),
    });
    const again = { to: "planner", mode: "response", responseTo: request, body: "Once more" };
    expect(await reviewer.refused("sendMessage", again)).toMatchObject({ code: "CONFLICT" });
  });

  test("13 message-expiry", async () => {
    const messageId = await planner.tell(reviewer, { expiresInMs: 30 });
    await intercom().advance(50);
    expect(await reviewer.pull()).toEqual([]);
    expect(await planner.call("getReceipt", { messageId })).toMatchObject({ state: "expired" });
  });

  test("14 bounded-inbox-wait", async () => {
    const waiting = reviewer.pull({ waitMs: 2000 });
    const id = await planner.tell(reviewer, { body: "Wake up" });
    expect((await waiting).map((message) => message.id)).toEqual([id]);
    expect(await reviewer.call("acknowledgeMessages", { messageIds: [id] })).toEqual({ acknowledged: 1 });
  });

  test("15 task-dependencies-release-and-completion", async () => {
    task.first = (await planner.call("addTask", { title: "First" })).id;
    task.second = (await planner.call("addTask", { title: "Second", dependencies: [task.first] })).id;
    expect(await planner.refused("claimTask", { taskId: task.second })).toMatchObject({ code: "CONFLICT" });
    const taskId = task.first;
    await reviewer.call("claimTask", { taskId });
    await reviewer.call("releaseTask", { taskId });
    await reviewer.call("claimTask", { taskId });
    await reviewer.call("completeTask", { taskId });
    await planner.call("claimTask", { taskId: task.second });
    expect(await planner.call("completeTask", { taskId: task.second })).toMatchObject({ status: "done" });
  });

  test("16 durable-task-progress", async () => {
    const { id: taskId } = await planner.call("addTask", { title: "Reported" });
    await reviewer.call("claimTask", { taskId });
    const progress = { taskId, kind: "progress" as const, text: "Half way" };
    expect(await reviewer.call("addTaskProgress", progress)).toMatchObject({ sequence: 1, agentId: "reviewer" });
    await reviewer.call("completeTask", { taskId });
    expect(await scope.call("listTaskProgress", { taskId })).toMatchObject([{ text: "Half way" }]);
  });

  test("17 execution-replacement-and-stale-claim-recovery", async () => {
    const { id: taskId } = await planner.call("addTask", { title: "Stale" });
    await reviewer.call("claimTask", { taskId });
    const old = reviewer;
    reviewer = await scope.agent("reviewer", { ...lease, displayName: "Reviewer" });
    expect(await old.refused("listTasks", {})).toMatchObject({ code: "UNAUTHENTICATED" });
    const late = { taskId, kind: "note", text: "Too late" };
    expect(await old.refused("addTaskProgress", late)).toMatchObject({ code: "UNAUTHENTICATED" });
    await reviewer.call("claimTask", { taskId });
    await reviewer.call("completeTask", { taskId });
    // The link has survived.
    expect((await reviewer.call("listPeers", {})).map(({ id }) => id)).toEqual(["planner"]);
  });

  test("18 human-escalation-boundary", async () => {
    const question = { question: "Shall I go on?", options: ["yes", "no"] };
    const { id: escalationId } = await planner.call("askHuman", question);
    const answer = { escalationId, answer: "yes" };
    expect(await planner.refused("resolveEscalation", answer)).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await scope.call("listEscalations", {})).toHaveLength(1);
    expect(await scope.call("resolveEscalation", answer)).toMatchObject({ status: "resolved", answer: "yes" });
  });

  test("19 resumable-scope-events", async () => {
    const page = await scope.call("listEvents", { after: 0, limit: 100 });
    expect(page.resyncRequired).toBe(false);
    expect(page.events.length).toBeGreaterThan(0);
    expect(page.nextRevision).toBe(page.currentRevision);
    const values = page.events.flatMap(({ attributes }) => Object.values(attributes));
    for (const content of ["Please review the plan", "Looks good", "Half way", "Shall I go on?", "First"]) {
      expect(values).not.toContain(content);
    }
    const waiting = scope.call("listEvents", { after: page.nextRevision, waitMs: 2000 });
    await planner.call("heartbeat", { lifecycle: "working", ready: true, ...lease });
    expect((await waiting).events).toMatchObject([{ type: "agent.lifecycle_changed", subjectId: "planner" }]);
    expect(await planner.refused("listEvents", {})).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("21 scope-isolation", async () => {
    const other = await intercom().scope({ id: "conformance-1-other" });
    const stranger = await other.agent("stranger", lease);
    const input = { to: "planner", body: "Let me in" };
    expect(await stranger.refused("sendMessage", input)).toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test("23 clean-offline-lifecycle", async () => {
    for (const agent of [planner, reviewer]) {
      const offline = await agent.call("heartbeat", { lifecycle: "offline", ready: false });
      expect(offline).toMatchObject({ lifecycle: "offline", ready: false, reachable: false });
    }
  });
});
