import { type Row, row } from "./rows.ts";
import type { Stage } from "./stage.ts";

/** A client of the published ben, and a task of it that has come as far as asked. */
async function task(stage: Stage, state: "submitted" | "working") {
  const publicationId = await stage.publication();
  const { principalId, client, send, message } = await stage.a2aClient(publicationId);
  const { id: taskId } = await send();
  const reservation = await stage.ben.call("reserveInbox", {});
  const { id: reservationId, messages } = reservation as NonNullable<typeof reservation>;
  const messageId = messages[0]?.id as string;
  if (state === "working") await stage.ben.call("commitInbox", { reservationId });
  const delivery = (to: string) => ({ from: principalId, to: "ben", mode: "request", state: to });
  return { publicationId, principalId, client, message, taskId, reservationId, messageId, delivery };
}

const accepted = (from: string) => ({
  from,
  fromKind: "a2aPrincipal",
  to: "ben",
  toKind: "agent",
  mode: "request",
  state: "queued",
});

/** Ids of the message and the task an A2A client's call has made: its answer names only the task. */
const latest = (stage: Stage) =>
  stage.intercom.sql(
    (db) =>
      db.prepare("SELECT message_id AS messageId FROM a2a_messages ORDER BY rowid DESC LIMIT 1").get() as {
        messageId: string;
      },
  );

export const a2aRows: readonly Row[] = [
  row(
    [
      "A2A task: [*] --> submitted: sendA2aMessage",
      "Delivery: [*] --> queued: sendA2aMessage",
      "Reply: [*] --> unanswered: sendA2aMessage",
    ],
    async (stage) => {
      const publicationId = await stage.publication();
      const { principalId, client, message } = await stage.a2aClient(publicationId);
      return stage.call(client, "sendA2aMessage", message(), ({ task: { id } }) => {
        const { messageId } = latest(stage);
        return [
          ["a2a.task_created", id, { publicationId, agentId: "ben", state: "submitted" }],
          ["message.accepted", messageId, accepted(principalId)],
          ["a2a.message_accepted", id, { publicationId, agentId: "ben", busMessageId: messageId }],
        ];
      });
    },
  ),
  row(
    ["A2A task: submitted --> working: commitInbox", "Delivery: reserved --> delivered: commitInbox"],
    async (stage) => {
      const { publicationId, taskId, reservationId, messageId, delivery } = await task(stage, "submitted");
      return stage.call(stage.ben, "commitInbox", { reservationId }, () => [
        ["message.delivered", messageId, delivery("delivered")],
        ["a2a.task_state_changed", taskId, { publicationId, state: "working" }],
      ]);
    },
  ),
  row("A2A task: submitted --> failed: time", async (stage) => {
    const { publicationId, taskId, messageId, delivery } = await task(stage, "submitted");
    // No call of A2A's gives a message a lifetime.
    stage.intercom.sql((db) =>
      db.prepare("UPDATE messages SET expires_at = ? WHERE id = ?").run(stage.intercom.clock.now() + 1000, messageId),
    );
    // A restart looks for every deadline there is.
    await stage.intercom.restart();
    return stage.passes(1000, () => [
      ["message.expired", messageId, delivery("expired")],
      ["a2a.task_state_changed", taskId, { publicationId, state: "failed" }],
    ]);
  }),
  row(
    [
      "A2A task: working --> completed: sendMessage",
      "Delivery: [*] --> acknowledged: sendMessage",
      "Reply: unanswered --> answered: sendMessage",
    ],
    async (stage) => {
      const { publicationId, principalId, taskId, messageId } = await task(stage, "working");
      const input = { to: principalId, mode: "response" as const, responseTo: messageId, body: stage.text() };
      return stage.call(stage.ben, "sendMessage", input, ({ messageId: response }) => [
        [
          "message.accepted",
          response,
          {
            from: "ben",
            fromKind: "agent",
            to: principalId,
            toKind: "a2aPrincipal",
            mode: "response",
            state: "acknowledged",
            responseTo: messageId,
          },
        ],
        ["message.replied", messageId, { responseMessageId: response, from: "ben", to: principalId }],
        ["a2a.task_state_changed", taskId, { publicationId, state: "completed" }],
      ]);
    },
  ),
  row("A2A task: working --> failed: deadLetterMessage", async (stage) => {
    const { publicationId, taskId, messageId, delivery } = await task(stage, "working");
    return stage.call(stage.ben, "deadLetterMessage", { messageId, reason: stage.text() }, () => [
      ["message.dead_lettered", messageId, delivery("dead_lettered")],
      ["a2a.task_state_changed", taskId, { publicationId, state: "failed" }],
    ]);
  }),
  row("A2A task: input_required --> working: sendA2aMessage", async (stage) => {
    const { publicationId, principalId, client, message, taskId } = await task(stage, "working");
    // Nothing brings a task there yet.
    stage.intercom.sql((db) => db.prepare("UPDATE a2a_tasks SET state = 'input-required' WHERE id = ?").run(taskId));
    return stage.call(client, "sendA2aMessage", message({ taskId }), () => {
      const { messageId } = latest(stage);
      return [
        ["a2a.task_state_changed", taskId, { publicationId, state: "working" }],
        ["message.accepted", messageId, accepted(principalId)],
        ["a2a.message_accepted", taskId, { publicationId, agentId: "ben", busMessageId: messageId }],
      ];
    });
  }),
];
