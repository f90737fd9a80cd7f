import { expect, test } from "vitest";
import { useDaemon } from "../../../support/use-daemon.ts";
import { toolWorld } from "./world.ts";

const intercom = useDaemon();
const world = () => toolWorld(intercom(), "2026-07-28", "team");

test("who one is, and what is open", async () => {
  const { scope, ada, bob, asAda } = await world();
  expect(await asAda("whoami")).toMatchObject({
    agentId: "ada",
    scope: scope.id,
    waiting: 0,
    unanswered: { count: 0 },
  });
  expect(await asAda("set_summary", { summary: "Reviewing" })).toEqual({ summary: "Reviewing" });
  const request = await bob.tell(ada, { body: "What time is it?", mode: "request" });
  await bob.tell(ada, { body: "Hello" });
  await asAda("check_inbox");
  const { id: taskId } = await ada.call("addTask", { title: "Write" });
  await asAda("claim_task");
  const { questionId } = await asAda("ask_human", { question: "May I?" });
  expect(await asAda("whoami")).toMatchObject({
    summary: "Reviewing",
    waiting: 0,
    unanswered: { count: 1, first: [{ messageId: request, from: "bob", beginning: "What time is it?" }] },
    tasks: { count: 1, first: [{ taskId, title: "Write" }] },
    questions: { count: 1, first: [{ questionId, beginning: "May I?" }] },
  });
});

test("a request, its reply, and reading it again", async () => {
  const { asAda, asBob } = await world();
  const { agents } = await asAda("list_agents");
  expect(agents).toMatchObject([{ id: "bob", reachable: true, owes: { undelivered: 0 } }]);
  const sent = await asAda("send_message", { to: "bob", text: "What time is it?", expectsReply: true });
  expect(sent).toMatchObject({ to: "bob", mode: "request", state: "queued", recipient: { reachable: true } });
  const { messages } = await asBob("check_inbox");
  expect(messages).toMatchObject([{ id: sent.messageId, from: "ada", mode: "request", body: "What time is it?" }]);
  await asBob("send_message", { replyTo: sent.messageId, text: "Noon" });
  await asBob("acknowledge_messages", { messageIds: [sent.messageId] });
  const { messages: replies } = await asAda("check_inbox", { waitMs: 1000 });
  expect(replies).toMatchObject([{ mode: "response", responseTo: sent.messageId, body: "Noon" }]);
  expect(await asAda("read_messages", { with: "bob" })).toMatchObject({
    messages: [{ body: "Noon" }, { body: "What time is it?" }],
  });
  expect(await asAda("read_messages", { text: "NOON" })).toMatchObject({ messages: [{ body: "Noon" }] });
  expect(await asAda("read_messages", { messageId: sent.messageId })).toMatchObject({
    message: { body: "What time is it?" },
    totalCharacters: 16,
  });
});

test("a note to the human, and a reply to the human's question", async () => {
  const { scope, asAda } = await world();
  expect(await asAda("send_message", { to: "human", text: "Done." })).toMatchObject({ to: "human", mode: "notify" });
  const { messageId } = await scope.call("sendHumanMessage", { to: "ada", body: "Really?", mode: "request" });
  expect(await asAda("check_inbox")).toMatchObject({ messages: [{ id: messageId, fromKind: "human" }] });
  await asAda("send_message", { to: "human", replyTo: messageId, text: "Yes." });
  expect(await asAda("read_messages", { with: "Human" })).toMatchObject({
    messages: [{ body: "Yes." }, { body: "Really?" }, { body: "Done." }],
  });
});

test("a task from its beginning to its end", async () => {
  const { asAda, asBob } = await world();
  const { task: first } = (await asAda("add_task", { title: "First", description: "All of it" })) as {
    task: { id: string };
  };
  const { task: second } = await asAda("add_task", { title: "Second", dependencies: ["first"] });
  expect(second).toMatchObject({ ready: false, blockedBy: [first.id] });
  expect(await asBob("claim_task")).toMatchObject({ task: { id: first.id }, description: { text: "All of it" } });
  expect(await asBob("claim_task")).toEqual({ next: expect.stringContaining("No task is ready") });
  expect(await asBob("list_tasks", { mine: true })).toMatchObject({ tasks: [{ id: first.id, claimedBy: "bob" }] });
  expect(await asBob("report_progress", { taskId: "FIRST", text: "Half" })).toMatchObject({ kind: "progress" });
  expect(await asBob("report_progress", { taskId: first.id, text: "Stuck", blocker: true })).toMatchObject({
    sequence: 2,
  });
  expect(await asBob("finish_task", { taskId: first.id, outcome: "released", note: "Not mine" })).toMatchObject({
    task: { status: "open" },
  });
  await asAda("claim_task", { taskId: first.id });
  expect(await asAda("finish_task", { taskId: first.id, note: "Works" })).toMatchObject({ task: { status: "done" } });
  expect(await asAda("get_task", { taskId: first.id })).toMatchObject({
    task: { status: "done" },
    note: { text: "Works" },
    progress: [{ text: "Not mine", kind: "note" }, { kind: "blocker" }, { text: "Half", agent: "bob" }],
  });
  expect(await asAda("list_tasks")).toMatchObject({ tasks: [{ title: "Second", ready: true }, { title: "First" }] });
});

test("a question to the human", async () => {
  const { scope, asAda } = await world();
  const { questionId } = await asAda("ask_human", { question: "Ship it?", options: ["yes", "no"], urgency: "high" });
  expect(await asAda("check_question", { questionId, waitMs: 5 })).toMatchObject({ status: "pending" });
  await scope.call("resolveEscalation", { escalationId: questionId as string, answer: "yes" });
  expect(await asAda("check_question", { questionId, cancel: true })).toMatchObject({
    status: "resolved",
    answer: "yes",
  });
  const { questionId: other } = await asAda("ask_human", { question: "Why?", waitMs: 5 });
  expect(await asAda("check_question", { questionId: other, cancel: true })).toMatchObject({ status: "cancelled" });
});

test("a question that the human puts off, and answers with something to mind", async () => {
  const { scope, asAda } = await world();
  const asked = await asAda("ask_human", { question: "Ship it?" });
  expect(asked).not.toHaveProperty("deferredUntil");
  const escalationId = asked.questionId as string;
  const { deferredUntil } = await scope.call("deferEscalation", { escalationId, delayMs: 60_000 });
  expect(await asAda("check_question", { questionId: escalationId })).toMatchObject({
    status: "pending",
    deferredUntil,
    next: expect.stringContaining("put the question off"),
  });
  const about = { kind: "escalation", id: escalationId };
  const { messages } = await asAda("check_inbox");
  expect(messages).toMatchObject([{ fromKind: "system", body: expect.stringContaining(deferredUntil ?? "?"), about }]);
  const note = "Only after lunch. ".repeat(60).trim();
  await scope.call("resolveEscalation", { escalationId, answer: "no", note });
  const answered = await asAda("check_question", { questionId: escalationId });
  expect(answered).toMatchObject({ status: "resolved", answer: "no", note });
  expect(answered).not.toHaveProperty("deferredUntil");
  const { messages: delivered } = await asAda("check_inbox");
  expect(delivered).toContainEqual(
    expect.objectContaining({ fromKind: "human", body: "no", context: [expect.objectContaining({ text: note })] }),
  );
});

test("a link that has to be asked for", async () => {
  const { scope, asAda, attempt } = await world();
  await scope.agent("cy");
  const refused = await attempt("send_message", { to: "cy", text: "Hello" });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("list_agents") });
  const asked = await asAda("request_link", { agent: "cy", reason: "Reviews" });
  expect(asked).toMatchObject({ agent: "cy", status: "pending" });
  await scope.call("resolveLinkRequest", { linkRequestId: asked.requestId as string, accept: true });
  expect(await asAda("send_message", { to: "cy", text: "Hello" })).toMatchObject({ to: "cy" });
});
