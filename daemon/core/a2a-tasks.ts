import { A2A_TERMINAL_STATES, type A2aTaskState, IntercomError, LIMITS } from "../../protocol/index.ts";
import type { PrincipalCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { ensureConversation, principalParty } from "./conversations.ts";
import { contentHash } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { insertMessage } from "./message-insert.ts";

/** Tasks of A2A clients: each message of a client is one request to the published agent, and its answer ends the task. */

/** A message of an A2A client, taken out of A2A's own shape. */
export interface A2aInput {
  /** The client's own id of the message: the same one again means the same message. */
  readonly clientMessageId: string;
  readonly body: string;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

export interface A2aTaskRow {
  readonly no: number;
  readonly id: string;
  readonly contextId: string;
  readonly state: A2aTaskState;
  readonly updatedAt: number;
}

const SELECT_TASK = "SELECT no, id, context_id AS contextId, state, updated_at AS updatedAt FROM a2a_tasks";

/**
 * Takes a message of an A2A client in: one request in the agent's inbox, one task of A2A.
 * @returns id of the task, a new one or the one this very message has made before
 * @throws {IntercomError} CONFLICT, NOT_FOUND, BACKPRESSURE, or UNAUTHENTICATED when the publication is not the caller's
 */
export async function acceptA2aMessage(
  ctx: Context,
  caller: PrincipalCaller,
  publicationId: string,
  input: A2aInput,
): Promise<string> {
  const publication = await publicationOf(ctx, caller, publicationId);
  const requestHash = contentHash([input.taskId ?? null, input.contextId ?? null, input.body]);
  const earlier = await ctx.tx.get<{ taskId: string; requestHash: string }>(
    `SELECT t.id AS taskId, m.request_hash AS requestHash FROM a2a_messages m JOIN a2a_tasks t ON t.no = m.task_no
      WHERE m.principal_no = ? AND m.client_message_id = ?`,
    caller.principalNo,
    input.clientMessageId,
  );
  if (earlier) {
    if (earlier.requestHash === requestHash) return earlier.taskId;
    throw new IntercomError("CONFLICT", "messageId: was used for another message");
  }
  await checkBudgets(ctx, caller, input);
  const task =
    input.taskId === undefined
      ? await createTask(ctx, caller, publication, input.contextId)
      : await continueTask(ctx, caller, publication, input.taskId, input.contextId);
  const sender = { no: principalParty(caller.principalNo), id: caller.principalId };
  const conversation = await ensureConversation(ctx, caller.scope.no, sender.no, publication.agentNo);
  const messageId = await insertMessage(ctx, {
    scopeNo: caller.scope.no,
    conversationNo: conversation.no,
    sender,
    recipient: { no: publication.agentNo, id: publication.agentId },
    mode: "request",
    body: input.body,
  });
  await ctx.tx.run(
    `INSERT INTO a2a_messages (task_no, principal_no, client_message_id, request_hash, message_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    task.no,
    caller.principalNo,
    input.clientMessageId,
    requestHash,
    messageId,
    ctx.now,
    ctx.now,
  );
  await ctx.tx.run("UPDATE a2a_tasks SET updated_at = ? WHERE no = ?", ctx.now, task.no);
  await recordEvent(ctx, caller.scope.no, "a2a.message_accepted", task.id, {
    publicationId,
    agentId: publication.agentId,
    busMessageId: messageId,
  });
  return task.id;
}

interface Publication {
  readonly no: number;
  readonly id: string;
  readonly agentNo: number;
  readonly agentId: string;
}

/**
 * A credential is good for its own publication only, and says nothing about others.
 * @throws {IntercomError} UNAUTHENTICATED
 */
export async function publicationOf(
  ctx: Context,
  caller: PrincipalCaller,
  publicationId: string,
): Promise<Publication> {
  const publication = await ctx.tx.get<Publication>(
    `SELECT p.no, p.id, p.agent_no AS agentNo, a.id AS agentId FROM a2a_publications p JOIN agents a ON a.no = p.agent_no
      WHERE p.no = ? AND a.removed_at IS NULL`,
    caller.resourceNo,
  );
  if (publication?.id === publicationId) return publication;
  throw new IntercomError("UNAUTHENTICATED", "Invalid A2A credential", { reason: "unknown" });
}

/** Unfinished messages of one principal, and bytes of them. */
export async function unfinishedOf(ctx: Context, principalNo: number): Promise<{ messages: number; bytes: number }> {
  const row = await ctx.tx.get<{ messages: number; bytes: number | null }>(
    `SELECT COUNT(*) AS messages, SUM(octet_length(m.body)) AS bytes
       FROM a2a_tasks t JOIN a2a_messages c ON c.task_no = t.no JOIN messages m ON m.id = c.message_id
      WHERE t.principal_no = ? AND t.state NOT IN ('completed', 'failed', 'canceled', 'rejected')`,
    principalNo,
  );
  return { messages: row?.messages ?? 0, bytes: row?.bytes ?? 0 };
}

async function checkBudgets(ctx: Context, caller: PrincipalCaller, input: A2aInput): Promise<void> {
  const own = await unfinishedOf(ctx, caller.principalNo);
  const bytes = new TextEncoder().encode(input.body).length;
  const { a2aMessageLimit, a2aByteLimit } = ctx.outside;
  if (own.messages >= a2aMessageLimit || own.bytes + bytes > a2aByteLimit) {
    throw new IntercomError("BACKPRESSURE", "The credential has too many unfinished messages", {
      messageLimit: a2aMessageLimit,
      byteLimit: a2aByteLimit,
    });
  }
  const all = await ctx.tx.get<{ messages: number; bytes: number | null }>(
    `SELECT COUNT(*) AS messages, SUM(octet_length(body)) AS bytes FROM messages
      WHERE scope_no = ? AND sender_no < -1 AND state IN ('queued', 'reserved', 'delivered')`,
    caller.scope.no,
  );
  if ((all?.messages ?? 0) >= LIMITS.a2aMessagesPerScope || (all?.bytes ?? 0) + bytes > LIMITS.a2aBytesPerScope) {
    throw new IntercomError("BACKPRESSURE", "The scope has too many unfinished messages from outside", {
      limit: LIMITS.a2aMessagesPerScope,
    });
  }
}

async function createTask(
  ctx: Context,
  caller: PrincipalCaller,
  publication: Publication,
  contextId = ctx.ids.next("a2aContext"),
): Promise<{ no: number; id: string }> {
  const id = ctx.ids.next("a2aTask");
  const row = await ctx.tx.get<{ no: number }>(
    `INSERT INTO a2a_tasks (id, scope_no, context_id, publication_no, principal_no, agent_no, state, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 'submitted', ?, ?) RETURNING no`,
    id,
    caller.scope.no,
    contextId,
    publication.no,
    caller.principalNo,
    publication.agentNo,
    ctx.now,
    ctx.now,
  );
  await recordEvent(ctx, caller.scope.no, "a2a.task_created", id, {
    publicationId: publication.id,
    agentId: publication.agentId,
    state: "submitted",
  });
  return { no: (row as { no: number }).no, id };
}

async function continueTask(
  ctx: Context,
  caller: PrincipalCaller,
  publication: Publication,
  taskId: string,
  contextId: string | undefined,
): Promise<{ no: number; id: string }> {
  const task = await a2aTaskRow(ctx, caller, taskId);
  if (A2A_TERMINAL_STATES.includes(task.state))
    throw new IntercomError("CONFLICT", `The task is ${task.state} already`);
  if (task.state !== "input-required") throw new IntercomError("CONFLICT", "The task is not waiting for input");
  if (contextId !== undefined && contextId !== task.contextId) {
    throw new IntercomError("CONFLICT", "contextId: expected that of the task");
  }
  await moveTask(ctx, caller.scope.no, { ...task, publicationId: publication.id }, "working");
  return task;
}

/** A task of this caller's own. @throws NOT_FOUND */
export async function a2aTaskRow(ctx: Context, caller: PrincipalCaller, taskId: string): Promise<A2aTaskRow> {
  const task = await ctx.tx.get<A2aTaskRow>(
    `${SELECT_TASK} WHERE scope_no = ? AND id = ? AND principal_no = ? AND publication_no = ?`,
    caller.scope.no,
    taskId,
    caller.principalNo,
    caller.resourceNo,
  );
  if (!task) throw new IntercomError("NOT_FOUND", `Task ${taskId} does not exist`);
  return task;
}

interface MovingTask {
  readonly no: number;
  readonly id: string;
  readonly state: A2aTaskState;
  readonly publicationId: string;
}

async function moveTask(ctx: Context, scopeNo: number, task: MovingTask, state: A2aTaskState): Promise<void> {
  if (task.state === state || A2A_TERMINAL_STATES.includes(task.state)) return;
  await ctx.tx.run("UPDATE a2a_tasks SET state = ?, updated_at = ? WHERE no = ?", state, ctx.now, task.no);
  await recordEvent(ctx, scopeNo, "a2a.task_state_changed", task.id, { publicationId: task.publicationId, state });
}

async function taskOfMessage(ctx: Context, messageId: string): Promise<MovingTask | undefined> {
  return ctx.tx.get<MovingTask>(
    `SELECT t.no, t.id, t.state, p.id AS publicationId
       FROM a2a_messages c JOIN a2a_tasks t ON t.no = c.task_no JOIN a2a_publications p ON p.no = t.publication_no
      WHERE c.message_id = ?`,
    messageId,
  );
}

/** The agent has the message now. */
export async function a2aMessageDelivered(ctx: Context, scopeNo: number, messageId: string): Promise<void> {
  const task = await taskOfMessage(ctx, messageId);
  if (task?.state === "submitted") await moveTask(ctx, scopeNo, task, "working");
}

/** The agent has answered. */
export async function a2aMessageAnswered(
  ctx: Context,
  scopeNo: number,
  messageId: string,
  responseMessageId: string,
): Promise<void> {
  const task = await taskOfMessage(ctx, messageId);
  if (!task) return;
  await ctx.tx.run(
    "UPDATE a2a_messages SET response_message_id = ?, updated_at = ? WHERE message_id = ?",
    responseMessageId,
    ctx.now,
    messageId,
  );
  await moveTask(ctx, scopeNo, task, "completed");
}

/** The agent will not answer: the message expired before it came, or was set aside. */
export async function a2aMessageFailed(ctx: Context, scopeNo: number, messageId: string): Promise<void> {
  const task = await taskOfMessage(ctx, messageId);
  if (task) await moveTask(ctx, scopeNo, task, "failed");
}
