import { expect, test } from "vitest";
import type { Message } from "../../../protocol/index.ts";
import { PublishedAgent, wireMessage } from "../../support/a2a.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** What becomes of a client's request inside the scope, and what the scope sees of it. */

const intercom = useDaemon();

interface WireTask {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: unknown;
}

async function send(published: PublishedAgent, text?: string): Promise<WireTask> {
  return ((await published.post(wireMessage(text))).body as { task: WireTask }).task;
}

async function taskOf(published: PublishedAgent, { id }: WireTask): Promise<WireTask> {
  return (await published.ask("GET", `tasks/${id}`)).body as WireTask;
}

function respond(published: PublishedAgent, request: Message, body: string): Promise<string> {
  return published.agent.tell(request.from, { body, mode: "response", responseTo: request.id });
}

test("every step is an event, and none tells what was said", async () => {
  const published = await PublishedAgent.make(intercom());
  const { scope, agent, principalId } = published;
  const publicationId = published.publication.id;
  let task: WireTask | undefined;
  const sent = await scope.eventsOf(async () => {
    task = await send(published, "a secret question");
  });
  const taskId = task?.id as string;
  const reservation = await agent.call("reserveInbox", {});
  const messageId = reservation?.messages[0]?.id as string;
  const parties = { from: principalId, to: agent.id, mode: "request" };
  expect(sent).toEqual([
    ["a2a.task_created", taskId, { publicationId, agentId: agent.id, state: "submitted" }],
    ["message.accepted", messageId, { ...parties, fromKind: "a2aPrincipal", toKind: "agent", state: "queued" }],
    ["a2a.message_accepted", taskId, { publicationId, agentId: agent.id, busMessageId: messageId }],
  ]);

  const reservationId = reservation?.id as string;
  const delivered = await scope.eventsOf(() => agent.call("commitInbox", { reservationId }));
  expect(delivered).toEqual([
    ["message.delivered", messageId, { ...parties, state: "delivered" }],
    ["a2a.task_state_changed", taskId, { publicationId, state: "working" }],
  ]);

  let answerId: string | undefined;
  const answered = await scope.eventsOf(async () => {
    answerId = await agent.tell(principalId, { body: "a secret answer", mode: "response", responseTo: messageId });
  });
  const back = { from: agent.id, to: principalId };
  expect(answered).toEqual([
    [
      "message.accepted",
      answerId,
      {
        ...back,
        fromKind: "agent",
        toKind: "a2aPrincipal",
        mode: "response",
        state: "acknowledged",
        responseTo: messageId,
      },
    ],
    ["message.replied", messageId, { ...back, responseMessageId: answerId }],
    ["a2a.task_state_changed", taskId, { publicationId, state: "completed" }],
  ]);
  expect(JSON.stringify(await scope.events())).not.toContain("secret");
});

test("an answer is nobody's work any more", async () => {
  const published = await PublishedAgent.make(intercom());
  const { scope, agent, principalId } = published;
  const active = () =>
    intercom().sql((db) => db.prepare("SELECT active_messages FROM scopes WHERE id = ?").pluck().get(scope.id));
  await send(published, "question");
  const [request] = (await agent.drain()) as [Message];
  expect(active()).toBe(0);
  const answerId = await respond(published, request, "answer");
  expect(active()).toBe(0);
  expect(await agent.call("getReceipt", { messageId: answerId })).toMatchObject({ state: "acknowledged" });
  const answer = { id: answerId, fromKind: "agent", from: agent.id, toKind: "a2aPrincipal", to: principalId };
  const asked = { id: request.id, fromKind: "a2aPrincipal", from: principalId, toKind: "agent", to: agent.id };
  expect(await scope.call("getMessage", { messageId: answerId })).toMatchObject(answer);
  expect(await scope.call("getMessage", { messageId: request.id })).toMatchObject({
    ...asked,
    responseMessageId: answerId,
  });
  const { messages } = await scope.call("listMessages", { agent: agent.id });
  expect(messages.map(({ id }) => id).sort()).toEqual([request.id, answerId].sort());
  for (const expected of [answer, asked]) expect(messages).toContainEqual(expect.objectContaining(expected));
});

test("a request takes one answer, from the agent it went to, once it was delivered", async () => {
  const published = await PublishedAgent.make(intercom());
  const { scope, agent, principalId } = published;
  const task = await send(published);
  const reservation = await agent.call("reserveInbox", {});
  const responseTo = reservation?.messages[0]?.id as string;
  const response = { to: principalId, body: "answer", mode: "response" as const, responseTo };
  expect(await agent.refused("sendMessage", response)).toMatchObject({ code: "CONFLICT" });
  await agent.call("commitInbox", { reservationId: reservation?.id as string });
  const eve = await scope.agent("eve");
  expect(await eve.refused("sendMessage", response)).toMatchObject({ code: "NOT_FOUND" });
  await agent.tell(principalId, { ...response, body: "first" });
  expect(await agent.refused("sendMessage", response)).toMatchObject({ code: "CONFLICT" });
  expect(await taskOf(published, task)).toMatchObject({ artifacts: [{ parts: [{ text: "first" }] }] });
});

test("nobody writes to a client who did not ask", async () => {
  const published = await PublishedAgent.make(intercom());
  for (const mode of ["notify", "request"]) {
    const message = { to: published.principalId, body: "hello", mode };
    expect(await published.agent.refused("sendMessage", message)).toMatchObject({ code: "PERMISSION_DENIED" });
  }
});

/** Nothing gives a client's request a lifetime yet; archives may bring one along. */
function expire(task: WireTask): void {
  intercom().sql((database) =>
    database
      .prepare(
        `UPDATE messages SET expires_at = ? WHERE id IN (
           SELECT c.message_id FROM a2a_messages c JOIN a2a_tasks t ON t.no = c.task_no WHERE t.id = ?)`,
      )
      .run(intercom().clock.now(), task.id),
  );
}

test("a request that runs out before it is delivered has failed", async () => {
  const published = await PublishedAgent.make(intercom());
  const task = await send(published);
  const before = await published.scope.revision();
  expire(task);
  // After a start everything counts as due once.
  await intercom().restart();
  expect(await taskOf(published, task)).toMatchObject({ status: { state: "TASK_STATE_FAILED" } });
  const events = await published.scope.events(before);
  expect(events.map(({ type, subjectId }) => [type, subjectId])).toContainEqual(["a2a.task_state_changed", task.id]);
  expect(await published.agent.pull()).toEqual([]);
});

test("a request that runs out after it was delivered may still be answered", async () => {
  const published = await PublishedAgent.make(intercom());
  const task = await send(published);
  const [request] = (await published.agent.pull()) as [Message];
  expire(task);
  await intercom().restart();
  expect(await taskOf(published, task)).toMatchObject({ status: { state: "TASK_STATE_WORKING" } });
  await respond(published, request, "late");
  expect(await taskOf(published, task)).toMatchObject({ status: { state: "TASK_STATE_COMPLETED" } });
});

test("a request that the agent sets aside has failed for good", async () => {
  const published = await PublishedAgent.make(intercom());
  const { scope, agent } = published;
  const task = await send(published);
  const [request] = (await agent.pull()) as [Message];
  const events = await scope.eventsOf(() =>
    agent.call("deadLetterMessage", { messageId: request.id, reason: "a secret reason" }),
  );
  expect(events.at(-1)).toEqual([
    "a2a.task_state_changed",
    task.id,
    { publicationId: published.publication.id, state: "failed" },
  ]);
  const shown = await taskOf(published, task);
  expect(shown).toMatchObject({ status: { state: "TASK_STATE_FAILED" } });
  expect(JSON.stringify(shown)).not.toContain("secret");
  expect(await scope.refused("requeueMessage", { messageId: request.id })).toMatchObject({ code: "CONFLICT" });
  expect((await send(published)).status.state).toBe("TASK_STATE_SUBMITTED");
});

test("requests wait for an agent that is away", async () => {
  const published = await PublishedAgent.make(intercom());
  await published.agent.call("retire", {});
  const task = await send(published, "are you there?");
  const back = await published.scope.agent(published.agent.id);
  const [request] = (await back.pull()) as [Message];
  await back.tell(request.from, { body: "now I am", mode: "response", responseTo: request.id });
  expect(await taskOf(published, task)).toMatchObject({ artifacts: [{ parts: [{ text: "now I am" }] }] });
});
