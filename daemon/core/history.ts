import { IntercomError, LIMITS, type Message, type ParsedInput } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { findConversation, HUMAN_NO } from "./conversations.ts";
import { numericCursor, page } from "./encoding.ts";
import { type MessageRow, SELECT_MESSAGES, toMessage } from "./message-rows.ts";

/** Conversations as they were, newest first, with bodies. */

interface MessagePage {
  messages: Message[];
  nextCursor?: string;
}

export async function listMyMessages(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"listMyMessages">,
): Promise<MessagePage> {
  const peerNo = input.peer === undefined ? undefined : await knownAgentNo(ctx, caller.scope.no, input.peer);
  return conversationPage(ctx, await conversationsOfAgent(ctx, caller.agentNo, peerNo), input);
}

export async function listMessages(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listMessages">,
): Promise<MessagePage> {
  const { scope } = caller;
  const { agent, peer, peerKind } = input;
  if (agent === undefined) {
    if (peerKind === undefined && input.state === "dead_lettered") return deadLetterPage(ctx, caller, input);
    return conversationPage(ctx, await conversationsOfScope(ctx, scope.no, peerKind), input);
  }
  const agentNo = await knownAgentNo(ctx, scope.no, agent);
  if (peerKind === "human") return conversationPage(ctx, await conversationsOfAgent(ctx, agentNo, HUMAN_NO), input);
  const peerNo = peer === undefined ? undefined : await knownAgentNo(ctx, scope.no, peer);
  const conversations = await conversationsOfAgent(ctx, agentNo, peerNo);
  return conversationPage(ctx, conversations.filter(peerKind === "agent" ? isBetweenAgents : () => true), input);
}

/** Like for lists, but agents that were taken off the list still have a history. */
async function knownAgentNo(ctx: Context, scopeNo: number, agentId: string): Promise<number> {
  const row = await ctx.tx.get<{ no: number }>("SELECT no FROM agents WHERE scope_no = ? AND id = ?", scopeNo, agentId);
  if (!row) throw new IntercomError("NOT_FOUND", `Agent ${agentId} does not exist`);
  return row.no;
}

interface PageInput {
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly state?: string | undefined;
}

async function conversationPage(
  ctx: Context,
  conversations: readonly ConversationRow[],
  input: PageInput,
): Promise<MessagePage> {
  const limit = input.limit ?? LIMITS.messagePageDefault;
  const before = numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER);
  const seqs: number[] = [];
  // A page can only hold the newest entries of each conversation: read those from the index and merge.
  for (const { no } of conversations) {
    const rows = await ctx.tx.all<{ seq: number }>(
      `SELECT seq FROM messages WHERE conversation_no = ? AND seq < ? AND (? IS NULL OR state = ?) ORDER BY seq DESC LIMIT ?`,
      no,
      before,
      input.state ?? null,
      input.state ?? null,
      limit + 1,
    );
    seqs.push(...rows.map((row) => row.seq));
  }
  seqs.sort((a, b) => b - a);
  return messagePage(ctx, seqs.slice(0, limit + 1), limit);
}

interface ConversationRow {
  readonly no: number;
  readonly leftNo: number;
}

/** Everybody who is not an agent has a lower number than any agent, so stands on the left. */
function isBetweenAgents(conversation: ConversationRow): boolean {
  return conversation.leftNo > HUMAN_NO;
}

async function conversationsOfAgent(
  ctx: Context,
  agentNo: number,
  peerNo: number | undefined,
): Promise<ConversationRow[]> {
  if (peerNo !== undefined) {
    const conversation = await findConversation(ctx, agentNo, peerNo);
    return conversation ? [{ no: conversation.no, leftNo: Math.min(agentNo, peerNo) }] : [];
  }
  return ctx.tx.all<ConversationRow>(
    `SELECT no, left_no AS leftNo FROM conversations WHERE left_no = ?
      UNION SELECT no, left_no AS leftNo FROM conversations WHERE right_no = ?`,
    agentNo,
    agentNo,
  );
}

async function conversationsOfScope(
  ctx: Context,
  scopeNo: number,
  peerKind: "agent" | "human" | undefined,
): Promise<ConversationRow[]> {
  const rows = await ctx.tx.all<ConversationRow>(
    "SELECT no, left_no AS leftNo FROM conversations WHERE scope_no = ?",
    scopeNo,
  );
  if (peerKind === undefined) return rows;
  return rows.filter(peerKind === "agent" ? isBetweenAgents : (row) => row.leftNo === HUMAN_NO);
}

/** Those of a whole scope have an index of their own. */
async function deadLetterPage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listMessages">,
): Promise<MessagePage> {
  const limit = input.limit ?? LIMITS.messagePageDefault;
  const rows = await ctx.tx.all<{ seq: number }>(
    "SELECT seq FROM messages WHERE scope_no = ? AND seq < ? AND state = 'dead_lettered' ORDER BY seq DESC LIMIT ?",
    caller.scope.no,
    numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER),
    limit + 1,
  );
  return messagePage(
    ctx,
    rows.map((row) => row.seq),
    limit,
  );
}

async function messagePage(ctx: Context, seqs: readonly number[], limit: number): Promise<MessagePage> {
  const { items, ...rest } = page(seqs, limit, String);
  const messages: Message[] = [];
  for (const seq of items) {
    messages.push(toMessage((await ctx.tx.get<MessageRow>(`${SELECT_MESSAGES} WHERE m.seq = ?`, seq)) as MessageRow));
  }
  return { messages, ...rest };
}
