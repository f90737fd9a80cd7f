import type { A2aMessage, A2aTask, A2aTaskState } from "../../protocol/index.ts";
import type { A2aTaskRow } from "./a2a-tasks.ts";
import type { Context } from "./context.ts";
import { toInstant } from "./encoding.ts";

/** States of a task as A2A 1.0 writes them. */
const STATE_NAMES: Readonly<Record<A2aTaskState, string>> = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
  rejected: "TASK_STATE_REJECTED",
};

/** A message of the client together with what the agent answered. */
interface Turn {
  readonly clientMessageId: string;
  readonly body: string;
  readonly answerId: string | null;
  readonly answer: string | null;
}

/**
 * A task as its client sees it: its messages under the client's own ids, the agent's answers, and the answer that
 * completed it as an artifact.
 * @param historyLength how many of the newest messages to show: all by default, with 0 there is no history at all
 */
export async function a2aTaskView(ctx: Context, task: A2aTaskRow, historyLength?: number): Promise<A2aTask> {
  const turns = await ctx.tx.all<Turn>(
    `SELECT c.client_message_id AS clientMessageId, m.body, r.id AS answerId, r.body AS answer
       FROM a2a_messages c JOIN messages m ON m.id = c.message_id LEFT JOIN messages r ON r.id = c.response_message_id
      WHERE c.task_no = ? ORDER BY c.no`,
    task.no,
  );
  const history = turns.flatMap((turn) => messagesOf(task, turn));
  const answered = task.state === "completed" ? turns.findLast((turn) => turn.answerId !== null) : undefined;
  return {
    id: task.id,
    contextId: task.contextId,
    status: { state: STATE_NAMES[task.state], timestamp: toInstant(task.updatedAt) },
    ...(answered ? { artifacts: [{ artifactId: answered.answerId as string, parts: [answerPart(answered)] }] } : {}),
    ...(historyLength === 0 ? {} : { history: history.slice(historyLength === undefined ? 0 : -historyLength) }),
  };
}

function messagesOf(task: A2aTaskRow, turn: Turn): A2aMessage[] {
  const where = { taskId: task.id, contextId: task.contextId };
  const asked = { messageId: turn.clientMessageId, role: "ROLE_USER", parts: [{ text: turn.body }], ...where };
  if (turn.answerId === null) return [asked];
  return [asked, { messageId: turn.answerId, role: "ROLE_AGENT", parts: [answerPart(turn)], ...where }];
}

function answerPart(turn: Turn) {
  return { text: turn.answer as string, mediaType: "text/plain" };
}
