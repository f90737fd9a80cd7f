import { TaskState } from "@a2a-js/sdk";
import { describe, expect, test } from "vitest";
import type { Message } from "../../../protocol/index.ts";
import { asTask, PublishedAgent, textMessage, textsOf, wireMessage } from "../../support/a2a.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** The whole way of a request with the client of the A2A project's own SDK. */

const intercom = useDaemon();

/** The agent answers the newest message it is given. */
async function answer(published: PublishedAgent, body: string): Promise<Message> {
  const [request] = (await published.agent.pull()) as [Message];
  await published.agent.tell(request.from, { body, mode: "response", responseTo: request.id });
  await published.agent.call("acknowledgeMessages", { messageIds: [request.id] });
  return request;
}

test("a client finds the agent by its card, asks, and gets the answer", async () => {
  const published = await PublishedAgent.make(intercom(), { displayName: "Ada", capabilities: [{ name: "review" }] });
  const client = await published.client();
  expect(await client.getAgentCard()).toMatchObject({
    name: "Ada",
    skills: [{ id: "review", name: "review", tags: ["review"] }],
    supportedInterfaces: [{ url: published.publication.interfaceUrl, protocolBinding: "HTTP+JSON" }],
  });

  const question = textMessage("Is this right?");
  const submitted = asTask(await client.sendMessage(question));
  expect(submitted.status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  expect(submitted.id).toMatch(/^a2at_[0-9a-f]{32}$/);
  expect(submitted.contextId).toMatch(/^a2ac_[0-9a-f]{32}$/);
  expect(submitted.history).toMatchObject([{ messageId: question.message.messageId, taskId: submitted.id }]);

  const reservation = await published.agent.call("reserveInbox", {});
  expect(reservation?.messages).toMatchObject([
    {
      from: published.principalId,
      fromKind: "a2aPrincipal",
      to: published.agent.id,
      mode: "request",
      body: "Is this right?",
    },
  ]);
  const getTask = () => client.getTask({ tenant: "", id: submitted.id, historyLength: undefined });
  expect((await getTask()).status?.state).toBe(TaskState.TASK_STATE_SUBMITTED);
  const [request] = await published.agent.call("commitInbox", { reservationId: reservation?.id ?? "" });
  expect((await getTask()).status?.state).toBe(TaskState.TASK_STATE_WORKING);

  intercom().clock.advance(1000);
  const responseTo = request?.id as string;
  await published.agent.tell(published.principalId, { body: "Yes.", mode: "response", responseTo });
  const completed = await getTask();
  expect(completed).toMatchObject({ id: submitted.id, contextId: submitted.contextId });
  expect(completed.status).toMatchObject({
    state: TaskState.TASK_STATE_COMPLETED,
    timestamp: new Date(intercom().clock.now()).toISOString(),
  });
  expect(textsOf(completed.artifacts)).toEqual(["Yes."]);
  expect(textsOf(completed.history)).toEqual(["Is this right?", "Yes."]);
  expect(await client.sendMessage(question)).toEqual(completed);
});

test("the same message again is the same task as it is now, and no work", async () => {
  const published = await PublishedAgent.make(intercom());
  const client = await published.client();
  const question = textMessage("once");
  const first = asTask(await client.sendMessage(question));
  const before = published.work();
  expect(await client.sendMessage(question)).toEqual(first);
  expect(published.work()).toBe(before);
  await answer(published, "done");
  expect(asTask(await client.sendMessage(question)).status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(await published.agent.pull()).toEqual([]);
});

test("the same message many times at once is one task", async () => {
  const published = await PublishedAgent.make(intercom());
  const message = wireMessage("once");
  const answers = await Promise.all(Array.from({ length: 20 }, () => published.post(message)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => (body as { task: { id: string } }).task.id)).size).toBe(1);
  expect(await published.agent.pull()).toHaveLength(1);
});

describe("an id that was used for another message", () => {
  test.each([
    ["with another text", { message: { parts: textMessage("two").message.parts } }],
    ["in another context", { message: { contextId: "elsewhere" } }],
  ])("%s is refused", async (_what, { message: other }) => {
    const published = await PublishedAgent.make(intercom());
    const client = await published.client();
    const { message, ...rest } = textMessage("one");
    await client.sendMessage({ message, ...rest });
    const before = published.work();
    await expect(client.sendMessage({ message: { ...message, ...other }, ...rest })).rejects.toMatchObject({
      statusCode: 400,
      message: "messageId: was used for another message",
    });
    expect(published.work()).toBe(before);
  });

  test("by another client is another message", async () => {
    const published = await PublishedAgent.make(intercom());
    const other = await published.other();
    const { message, ...rest } = textMessage("one");
    const first = asTask(await (await published.client()).sendMessage({ message, ...rest }));
    const second = asTask(await (await other.client()).sendMessage({ message, ...rest }));
    expect(second.id).not.toBe(first.id);
    expect((await published.agent.pull()).map(({ from }) => from)).toEqual([published.principalId, other.principalId]);
  });
});

test("a new task may be part of a context the client names", async () => {
  const published = await PublishedAgent.make(intercom());
  const client = await published.client();
  const first = asTask(await client.sendMessage(textMessage("one")));
  const second = asTask(await client.sendMessage(textMessage("two", { contextId: first.contextId })));
  expect(second.contextId).toBe(first.contextId);
  expect(second.id).not.toBe(first.id);
});

describe("a task that waits for input", () => {
  async function waiting() {
    const published = await PublishedAgent.make(intercom());
    const client = await published.client();
    const task = asTask(await client.sendMessage(textMessage("one")));
    await published.agent.drain();
    intercom().sql((database) =>
      database.prepare("UPDATE a2a_tasks SET state = 'input-required' WHERE id = ?").run(task.id),
    );
    return { published, client, task };
  }

  test("takes the next message and goes on", async () => {
    const { published, client, task } = await waiting();
    const shown = await client.getTask({ tenant: "", id: task.id, historyLength: undefined });
    expect(shown.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const next = textMessage("two", { taskId: task.id, contextId: task.contextId });
    const continued = asTask(await client.sendMessage(next));
    expect(continued).toMatchObject({ id: task.id, contextId: task.contextId });
    expect(continued.status?.state).toBe(TaskState.TASK_STATE_WORKING);
    expect(textsOf(continued.history)).toEqual(["one", "two"]);
    expect((await answer(published, "three")).body).toBe("two");
    const completed = asTask(await client.sendMessage(next));
    expect(textsOf(completed.history)).toEqual(["one", "two", "three"]);
    expect(textsOf(completed.artifacts)).toEqual(["three"]);
  });

  test("stays in its context", async () => {
    const { published, client, task } = await waiting();
    const before = published.work();
    await expect(
      client.sendMessage(textMessage("two", { taskId: task.id, contextId: "elsewhere" })),
    ).rejects.toMatchObject({ statusCode: 400, message: "contextId: expected that of the task" });
    expect(published.work()).toBe(before);
  });

  test("is continued by its own client only", async () => {
    const { published, task } = await waiting();
    const stranger = await (await published.other()).client();
    const before = published.work();
    await expect(stranger.sendMessage(textMessage("two", { taskId: task.id }))).rejects.toMatchObject({
      name: "TaskNotFoundError",
    });
    await expect(stranger.getTask({ tenant: "", id: task.id, historyLength: undefined })).rejects.toMatchObject({
      name: "TaskNotFoundError",
    });
    expect(published.work()).toBe(before);
  });
});

test("a task that is under way or over takes no further message", async () => {
  const published = await PublishedAgent.make(intercom());
  const client = await published.client();
  const task = asTask(await client.sendMessage(textMessage("one")));
  const more = () => client.sendMessage(textMessage("two", { taskId: task.id }));
  await expect(more()).rejects.toMatchObject({ statusCode: 400, message: "The task is not waiting for input" });
  await answer(published, "done");
  await expect(more()).rejects.toMatchObject({ statusCode: 400, message: "The task is completed already" });
});

test("a restart in the middle loses nothing", async () => {
  const published = await PublishedAgent.make(intercom());
  const question = textMessage("one");
  const task = asTask(await (await published.client()).sendMessage(question));
  const [request] = (await published.agent.pull()) as [Message];
  await intercom().restart();
  const client = await published.client(`${intercom().address}${new URL(published.publication.cardUrl).pathname}`);
  expect(asTask(await client.sendMessage(question))).toMatchObject({
    id: task.id,
    status: { state: TaskState.TASK_STATE_WORKING },
  });
  await published.agent.tell(request.from, { body: "two", mode: "response", responseTo: request.id });
  expect(textsOf(asTask(await client.sendMessage(question)).artifacts)).toEqual(["two"]);
});

describe("how much history is shown", () => {
  test("is what the client asks for", async () => {
    const published = await PublishedAgent.make(intercom());
    const client = await published.client();
    const task = asTask(await client.sendMessage(textMessage("one")));
    await answer(published, "two");
    const shown = async (historyLength: number | undefined) =>
      textsOf((await client.getTask({ tenant: "", id: task.id, historyLength })).history);
    expect(await shown(undefined)).toEqual(["one", "two"]);
    expect(await shown(0)).toEqual([]);
    expect(await shown(1)).toEqual(["two"]);
    expect(await shown(3)).toEqual(["one", "two"]);
  });

  test("is none where none is asked for when sending", async () => {
    const published = await PublishedAgent.make(intercom());
    const answered = await published.post({
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "one" }] },
      configuration: { historyLength: 0, acceptedOutputModes: ["text/plain"], returnImmediately: true },
    });
    expect(answered.status).toBe(200);
    expect(Object.keys((answered.body as { task: object }).task).sort()).toEqual(["contextId", "id", "status"]);
  });
});
