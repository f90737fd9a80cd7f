import { type A2aTask, type AgentCard, a2aText, type ParsedInput } from "../../protocol/index.ts";
import { a2aTaskView } from "./a2a-task-view.ts";
import { a2aTaskRow, acceptA2aMessage, publicationOf } from "./a2a-tasks.ts";
import { publishedCard } from "./agent-card.ts";
import { authenticate, type Credentials, type PrincipalCaller } from "./caller.ts";
import type { Context } from "./context.ts";

/** The A2A interface of published agents, in A2A's own shapes. */

export async function getAgentCard(
  ctx: Context,
  _caller: undefined,
  input: ParsedInput<"getAgentCard">,
): Promise<AgentCard> {
  return (await publishedCard(ctx, input.publicationId)).card;
}

/**
 * Whether these are the credentials of a client of this very publication: asked before anything else of a request is
 * looked at.
 * @throws {IntercomError} UNAUTHENTICATED
 */
export async function checkA2aClient(ctx: Context, credentials: Credentials, publicationId: string): Promise<void> {
  const caller = await authenticate(ctx, "a2a", credentials);
  await publicationOf(ctx, caller as PrincipalCaller, publicationId);
}

export async function sendA2aMessage(
  ctx: Context,
  caller: PrincipalCaller,
  input: ParsedInput<"sendA2aMessage">,
): Promise<{ task: A2aTask }> {
  const { publicationId, message, configuration } = input;
  const taskId = await acceptA2aMessage(ctx, caller, publicationId, {
    clientMessageId: message.messageId,
    body: a2aText(message),
    taskId: message.taskId,
    contextId: message.contextId,
  });
  return { task: await a2aTaskView(ctx, await a2aTaskRow(ctx, caller, taskId), configuration?.historyLength) };
}

export async function getA2aTask(
  ctx: Context,
  caller: PrincipalCaller,
  input: ParsedInput<"getA2aTask">,
): Promise<A2aTask> {
  await publicationOf(ctx, caller, input.publicationId);
  return a2aTaskView(ctx, await a2aTaskRow(ctx, caller, input.taskId), input.historyLength);
}
