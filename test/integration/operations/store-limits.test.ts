import { describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { fillEscalations, fillMessages, fillProgress, fillTasks } from "../../support/fill.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { inParallel } from "../../support/waiting.ts";

/** Each limit of what is stored: the last one that fits, and the first one that does not. */

const intercom = useDaemon();

const full = { status: 429, code: "BACKPRESSURE" };

describe("messages nobody has dealt with", () => {
  test("are 10,000 in a scope", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const first = await a.tell(b);
    fillMessages(intercom(), scope.id, first, LIMITS.activeMessagesPerScope - 2);
    await a.tell(b, { body: "the last one" });
    const revision = await scope.revision();
    expect(await a.refused("sendMessage", { to: b.id, body: "one more" })).toMatchObject(full);
    expect(await scope.refused("sendHumanMessage", { to: b.id, body: "one more" })).toMatchObject(full);
    expect(await scope.revision()).toBe(revision);
    // Nobody else is held up, and one that is dealt with makes room for one.
    await (await intercom().scope()).agents("a", "b").then(([c, d]) => c.tell(d));
    await a.tell("human", { toKind: "human" });
    const [message] = await b.pull({ limit: 1 });
    expect(await a.refused("sendMessage", { to: b.id, body: "one more" })).toMatchObject(full);
    await b.call("acknowledgeMessages", { messageIds: [message?.id ?? ""] });
    await a.tell(b);
    expect(await a.refused("sendMessage", { to: b.id, body: "one more" })).toMatchObject(full);
  });

  test("make room when they expire or are set aside", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const first = await a.tell(b);
    fillMessages(intercom(), scope.id, first, LIMITS.activeMessagesPerScope - 2);
    await a.tell(b, { expiresInMs: 1000 });
    expect(await a.refused("sendMessage", { to: b.id, body: "x" })).toMatchObject(full);
    await intercom().advance(1000);
    await a.tell(b);
    const [message] = await b.pull({ limit: 1 });
    const messageId = message?.id ?? "";
    await b.call("deadLetterMessage", { messageId, reason: "no" });
    await a.tell(b);
    expect(await a.refused("sendMessage", { to: b.id, body: "x" })).toMatchObject(full);
    // The owner's decision and the daemon's notices are not held back.
    expect(await scope.call("requeueMessage", { messageId })).toMatchObject({ state: "queued" });
  });

  test("a repeated call is answered even when there is no room", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const input = { to: b.id, body: "b", idempotencyKey: "k" };
    const { messageId } = await a.call("sendMessage", input);
    fillMessages(intercom(), scope.id, messageId, LIMITS.activeMessagesPerScope - 1);
    expect((await a.call("sendMessage", input)).messageId).toBe(messageId);
  });
});

test("1,000 messages to the human are unread", async () => {
  const scope = await intercom().scope();
  const a = await scope.agent("a");
  const toHuman = { to: "human", toKind: "human" as const, body: "b" };
  const { messageId } = await a.call("sendMessage", toHuman);
  fillMessages(intercom(), scope.id, messageId, LIMITS.unreadHumanMessagesPerScope - 2);
  await a.call("sendMessage", toHuman);
  expect(await a.refused("sendMessage", toHuman)).toMatchObject(full);
  await scope.call("acknowledgeHumanMessages", { messageIds: [messageId] });
  await a.call("sendMessage", toHuman);
  expect(await a.refused("sendMessage", toHuman)).toMatchObject(full);
});

describe("tasks", () => {
  test("5,000 are unfinished in a scope", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    fillTasks(intercom(), scope.id, LIMITS.unfinishedTasksPerScope - 1);
    const last = await a.call("addTask", { title: "the last one" });
    expect(await a.refused("addTask", { title: "one more" })).toMatchObject(full);
    expect(await scope.refused("addTask", { title: "one more" })).toMatchObject(full);
    await a.call("claimTask", { taskId: last.id });
    expect(await a.refused("addTask", { title: "one more" })).toMatchObject(full);
    await a.call("completeTask", { taskId: last.id });
    const another = await a.call("addTask", { title: "in its place" });
    expect(await a.refused("addTask", { title: "one more" })).toMatchObject(full);
    await a.call("cancelTask", { taskId: another.id });
    await a.call("addTask", { title: "in its place" });
    expect((await scope.call("listTasksPage", { limit: LIMITS.pageMax })).tasks).toHaveLength(LIMITS.pageMax);
  });

  test("10,000 are listed at once", async () => {
    const scope = await intercom().scope();
    fillTasks(intercom(), scope.id, LIMITS.taskListMax - 1, "done");
    await scope.call("addTask", { title: "the last one" });
    expect(await scope.call("listTasks", { ready: true })).toHaveLength(1);
    await scope.call("addTask", { title: "one more" });
    expect(await scope.refused("listTasks", { ready: true })).toMatchObject(full);
    expect((await scope.call("listTasksPage", { ready: true })).tasks).toHaveLength(2);
  });

  test("the one task somebody may claim is found behind thousands it may not", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    fillTasks(intercom(), scope.id, LIMITS.unfinishedTasksPerScope - 1);
    intercom().sql((db) =>
      db
        .prepare(`UPDATE tasks SET requires = '["wings"]' WHERE scope_no = (SELECT no FROM scopes WHERE id = ?)`)
        .run(scope.id),
    );
    const { id } = await scope.call("addTask", { title: "for anybody" });
    expect(await a.call("claimNextTask", {})).toMatchObject({ id });
    expect(await a.call("claimNextTask", {})).toBeNull();
  });
});

describe("progress of a task", () => {
  async function claimedTask(): Promise<{ agent: AgentActor; taskId: string }> {
    const agent = await (await intercom().scope()).agent("a");
    const { id: taskId } = await agent.call("addTask", { title: "t" });
    await agent.call("claimTask", { taskId });
    return { agent, taskId };
  }
  const entry = (taskId: string, text = "on it") => ({ taskId, kind: "progress" as const, text });

  test("is 1,000 entries", async () => {
    const { agent, taskId } = await claimedTask();
    fillProgress(intercom(), taskId, LIMITS.progressEntriesPerTask - 1, 0);
    expect(await agent.call("addTaskProgress", entry(taskId))).toMatchObject({ sequence: 1000 });
    expect(await agent.refused("addTaskProgress", entry(taskId))).toMatchObject(full);
    await agent.call("completeTask", { taskId });
  });

  test("is 1 MiB of text", async () => {
    const { agent, taskId } = await claimedTask();
    fillProgress(intercom(), taskId, 5, LIMITS.progressBytesPerTask - 6);
    expect(await agent.refused("addTaskProgress", entry(taskId, "€€a"))).toMatchObject(full);
    expect(await agent.call("addTaskProgress", entry(taskId, "€€"))).toMatchObject({ sequence: 6 });
    expect(await agent.refused("addTaskProgress", entry(taskId, "a"))).toMatchObject(full);
  });

  test("shows the newest 20 with the task and all of it on its own", async () => {
    const { agent, taskId } = await claimedTask();
    for (let n = 1; n <= 21; n += 1) await agent.call("addTaskProgress", entry(taskId, `step ${n}`));
    const task = await agent.call("getTask", { taskId });
    expect(task.recentProgress.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, n) => n + 2));
    expect(await agent.call("listTaskProgress", { taskId })).toHaveLength(21);
  });
});

describe("questions that wait for an answer", () => {
  test("are 100 of an agent", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    fillEscalations(intercom(), scope.id, "a", LIMITS.pendingEscalationsPerAgent - 1);
    const { id: escalationId } = await a.call("askHuman", { question: "the last one?" });
    expect(await a.refused("askHuman", { question: "one more?" })).toMatchObject(full);
    await b.call("askHuman", { question: "mine?" });
    await a.call("cancelEscalation", { escalationId });
    await a.call("askHuman", { question: "in its place?" });
    expect(await a.refused("askHuman", { question: "one more?" })).toMatchObject(full);
  });

  test("are 1,000 of a scope", async () => {
    const scope = await intercom().scope();
    const names = Array.from({ length: 10 }, (_, n) => `agent-${n}`);
    for (const name of names) {
      await scope.agent(name);
      fillEscalations(intercom(), scope.id, name, LIMITS.pendingEscalationsPerAgent);
    }
    const fresh = await scope.agent("fresh");
    expect(await fresh.refused("askHuman", { question: "one more?" })).toMatchObject(full);
    const [first] = (await scope.call("listEscalationsPage", { limit: 1 })).escalations;
    await scope.call("resolveEscalation", { escalationId: first?.id ?? "", answer: "yes" });
    await fresh.call("askHuman", { question: "the last one?" });
    expect(await fresh.refused("askHuman", { question: "one more?" })).toMatchObject(full);
  });
});

test("100 link requests of an agent are pending", async () => {
  const scope = await intercom().scope();
  const asking = await scope.agent("asking");
  const others = Array.from({ length: LIMITS.pendingLinkRequestsPerAgent + 1 }, (_, n) => `other-${n}`);
  await inParallel(others, (id) => scope.agent(id));
  const [extra, ...rest] = others as [string, ...string[]];
  const requests = await inParallel(rest, (to) => asking.call("requestLink", { to }));
  expect(await asking.refused("requestLink", { to: extra })).toMatchObject(full);
  // Asking again for what is pending is nothing new.
  expect((await asking.call("requestLink", { to: rest[0] as string })).id).toBe(requests[0]?.id);
  await scope.call("resolveLinkRequest", { linkRequestId: requests[0]?.id ?? "", accept: false });
  await asking.call("requestLink", { to: extra });
});

describe("calls that wait", () => {
  /** Starts calls that stay open and waits until they do. */
  async function keepOpen(
    count: number,
    open: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<() => Promise<void>> {
    const controller = new AbortController();
    const calls = Array.from({ length: count }, () => open(controller.signal).catch(() => undefined));
    return async () => {
      controller.abort();
      await Promise.all(calls);
    };
  }

  /** Keeps trying until the refusal shows that all places are taken. */
  async function expectFull(actor: AgentActor | ScopeActor, name: "reserveInbox" | "listEvents", input: object) {
    for (;;) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(), 100);
      try {
        return await actor.refused(name, input as Record<string, unknown>, { signal: controller.signal });
      } catch (error) {
        if (!controller.signal.aborted) throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  test("are 32 of an agent", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    const wait = { waitMs: LIMITS.waitMaxMs };
    const end = await keepOpen(LIMITS.inboxWaitersPerAgent, (signal) => a.call("reserveInbox", wait, { signal }));
    const refusal = await expectFull(a, "reserveInbox", wait);
    expect(refusal).toMatchObject({ ...full, details: { reason: "waiters", limit: 32 } });
    // Looking without waiting, and others, are not held up.
    expect(await a.call("reserveInbox", {})).toBeNull();
    expect(await b.call("reserveInbox", { waitMs: 1 })).toBeNull();
    await end();
  });

  test("are 128 of a scope", async () => {
    const scope = await intercom().scope();
    const revision = await scope.revision();
    const wait = { after: revision, waitMs: LIMITS.waitMaxMs };
    const end = await keepOpen(LIMITS.waitersPerScope, (signal) => scope.call("listEvents", wait, { signal }));
    const refusal = await expectFull(scope, "listEvents", wait);
    expect(refusal).toMatchObject({ ...full, details: { reason: "waiters", limit: 128 } });
    expect((await scope.call("listEvents", { after: revision })).events).toEqual([]);
    const other = await intercom().scope();
    const elsewhere = await other.call("listEvents", { after: await other.revision(), waitMs: 1 });
    expect(elsewhere.events).toEqual([]);
    await end();
  });
});
