import { LIMITS } from "../../../protocol/index.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Check } from "../../core/profile.ts";
import { refusalOf, resultOf } from "../../http/envelope.ts";
import { atBounds, list, text, textBound } from "./bounds.ts";
import type { Stage } from "./stage.ts";

/** Bounds, each at n and at n + 1. */
export const limitChecks: readonly Check<Stage>[] = [
  {
    name: "limits-of-agents",
    proves: "Names, summaries, capabilities and leases of agents are taken up to their limits and not beyond.",
    async run(stage) {
      const owner = await stage.scope();
      const base = { id: "ada", displayName: "Ada" };
      const capability = (n: number) => ({ name: `capability-${n}` });
      await atBounds(owner, [
        textBound("registerAgent", "displayName", LIMITS.displayNameBytes, { id: "ada" }),
        textBound("registerAgent", "summary", LIMITS.summaryBytes, base),
        {
          what: "an id",
          name: "registerAgent",
          fits: { ...base, id: "i".repeat(LIMITS.identifierLength) },
          tooMuch: { ...base, id: "i".repeat(LIMITS.identifierLength + 1) },
        },
        {
          what: "capabilities",
          name: "registerAgent",
          fits: { ...base, capabilities: list(LIMITS.capabilities, capability) },
          tooMuch: { ...base, capabilities: list(LIMITS.capabilities + 1, capability) },
        },
        {
          what: "the shortest lease",
          name: "registerAgent",
          fits: { ...base, leaseMs: LIMITS.leaseMinMs },
          tooMuch: { ...base, leaseMs: LIMITS.leaseMinMs - 1 },
        },
        {
          what: "the longest lease",
          name: "registerAgent",
          fits: { ...base, leaseMs: LIMITS.leaseMaxMs },
          tooMuch: { ...base, leaseMs: LIMITS.leaseMaxMs + 1 },
        },
      ]);
    },
  },
  {
    name: "limits-of-messages",
    proves: "Bodies, context, lifetimes and lists of messages are taken up to their limits and not beyond.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      const base = { to: ben.id, body: "Hello." };
      const item = { kind: "text", title: "Item" };
      const full = { ...item, text: text(LIMITS.contextTextBytes - Buffer.byteLength(item.title)) };
      const ids = (count: number) => ({ messageIds: list(count, (n) => `msg_${n}`) });
      await atBounds(ada, [
        textBound("sendMessage", "body", LIMITS.messageBodyBytes, { to: ben.id }),
        textBound("sendMessage", "idempotencyKey", LIMITS.idempotencyKeyBytes, base),
        {
          what: "context items",
          name: "sendMessage",
          fits: { ...base, context: list(LIMITS.contextItems, () => item) },
          tooMuch: { ...base, context: list(LIMITS.contextItems + 1, () => item) },
        },
        {
          what: "all context together",
          name: "sendMessage",
          fits: { ...base, context: list(LIMITS.contextTotalBytes / LIMITS.contextTextBytes, () => full) },
          tooMuch: {
            ...base,
            context: [...list(LIMITS.contextTotalBytes / LIMITS.contextTextBytes, () => full), { ...item, title: "x" }],
          },
        },
        {
          what: "a lifetime",
          name: "sendMessage",
          fits: { ...base, expiresInMs: LIMITS.messageExpiryMaxMs },
          tooMuch: { ...base, expiresInMs: LIMITS.messageExpiryMaxMs + 1 },
        },
        {
          what: "acknowledged messages",
          name: "acknowledgeMessages",
          fits: ids(LIMITS.acknowledgeMessages),
          tooMuch: ids(LIMITS.acknowledgeMessages + 1),
        },
        {
          what: "reserved messages",
          name: "reserveInbox",
          fits: { limit: LIMITS.reserveMessages },
          tooMuch: { limit: LIMITS.reserveMessages + 1 },
        },
        {
          what: "a page",
          name: "listMyMessages",
          fits: { limit: LIMITS.messagePageMax },
          tooMuch: { limit: LIMITS.messagePageMax + 1 },
        },
        {
          what: "a delay",
          name: "deferMessages",
          fits: { messageIds: [], delayMs: LIMITS.retryDelayMaxMs },
          tooMuch: { messageIds: [], delayMs: LIMITS.retryDelayMaxMs + 1 },
        },
      ]);
      // With something to give the wait is over at once, however long it might be.
      await ben.tell(ada);
      await atBounds(ada, [
        {
          what: "a wait",
          name: "reserveInbox",
          fits: { waitMs: LIMITS.waitMaxMs },
          tooMuch: { waitMs: LIMITS.waitMaxMs + 1 },
        },
      ]);
    },
  },
  {
    name: "limits-of-tasks-and-questions",
    proves: "Titles, descriptions, notes, progress, questions, options and answers are taken up to their limits.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const taskId = await ada.claimed();
      const question = { question: "Which?" };
      const option = (n: number) => `Option ${n}`;
      await atBounds(ada, [
        textBound("addTask", "title", LIMITS.taskTitleBytes, {}),
        textBound("addTask", "description", LIMITS.taskDescriptionBytes, { title: "Task" }),
        {
          what: "requirements",
          name: "addTask",
          fits: { title: "Task", requires: list(LIMITS.taskRequirements, (n) => `capability-${n}`) },
          tooMuch: { title: "Task", requires: list(LIMITS.taskRequirements + 1, (n) => `capability-${n}`) },
        },
        textBound("addTaskProgress", "text", LIMITS.progressTextBytes, { taskId, kind: "note" }),
        textBound("askHuman", "question", LIMITS.questionBytes, {}),
        {
          what: "the most options",
          name: "askHuman",
          fits: { ...question, options: list(LIMITS.escalationOptionsMax, option) },
          tooMuch: { ...question, options: list(LIMITS.escalationOptionsMax + 1, option) },
        },
        {
          what: "the fewest options",
          name: "askHuman",
          fits: { ...question, options: list(LIMITS.escalationOptionsMin, option) },
          tooMuch: { ...question, options: list(LIMITS.escalationOptionsMin - 1, option) },
        },
        {
          what: "the shortest expiry",
          name: "askHuman",
          fits: { ...question, expiresInMs: LIMITS.escalationExpiryMinMs },
          tooMuch: { ...question, expiresInMs: LIMITS.escalationExpiryMinMs - 1 },
        },
      ]);
      refusalOf(await ada.send("completeTask", { taskId, note: text(LIMITS.taskNoteBytes + 1) }), "INVALID_ARGUMENT");
      await ada.call("completeTask", { taskId, note: text(LIMITS.taskNoteBytes) });
      const { id: escalationId } = await ada.call("askHuman", question);
      const answer = (bytes: number) => ({ escalationId, answer: text(bytes) });
      await owner.refused("resolveEscalation", answer(LIMITS.answerBytes + 1), "INVALID_ARGUMENT");
      await owner.call("resolveEscalation", answer(LIMITS.answerBytes));
      await atBounds(owner, [
        {
          what: "a page",
          name: "listTasksPage",
          fits: { limit: LIMITS.pageMax },
          tooMuch: { limit: LIMITS.pageMax + 1 },
        },
        {
          what: "a batch",
          name: "listEvents",
          fits: { limit: LIMITS.eventBatch },
          tooMuch: { limit: LIMITS.eventBatch + 1 },
        },
      ]);
    },
  },
  {
    name: "limit-of-a-body",
    proves: "A body of 1 MiB is read, one byte more is refused.",
    async run(stage) {
      const owner = await stage.scope();
      const body = JSON.stringify({ title: "Task" });
      const send = (bytes: number) => owner.http.send("POST", "/v1/tasks", body.padEnd(bytes), { token: owner.token });
      resultOf(await send(LIMITS.bodyBytes), 201);
      refusalOf(await send(LIMITS.bodyBytes + 1), "INVALID_ARGUMENT");
    },
  },
  {
    name: "well-formed-text",
    proves: "Text with NUL or lone surrogates, or of white space alone, is refused.",
    async run(stage) {
      const { ada, ben } = await stage.team();
      for (const body of ["a\u0000b", "a\ud800b", " \n\t", ""]) {
        await ada.refused("sendMessage", { to: ben.id, body }, "INVALID_ARGUMENT");
      }
      const odd = "\u{1F600} \u202E é ﷽ \r\n\t";
      await ada.tell(ben, { body: odd });
      const [received] = await ben.pull();
      if (received?.body !== odd)
        throw new CheckFailure("The text has changed", { expected: odd, got: received?.body });
    },
  },
];
