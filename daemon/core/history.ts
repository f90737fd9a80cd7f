import { IntercomError, LIMITS, type Message, type ParsedInput } from "../../protocol/index.ts";
import { answersShown } from "./answers-read.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { findConversation, HUMAN_NO } from "./conversations.ts";
import { numericCursor, page } from "./encoding.ts";
import { type MessageRow, SELECT_MESSAGES, toMessage, UNANSWERED } from "./message-rows.ts";
import { recentMessages } from "./recent-messages.ts";

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
  const conversations = await conversationsAsked(ctx, caller.scope.no, caller.agentNo, input);
  const found = await conversationPage(ctx, conversations, input);
  await answersShown(ctx, caller.scope, found.messages);
  return found;
}

export async function listMessages(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listMessages">,
): Promise<MessagePage> {
  const { scope } = caller;
  const { agent, peer, peerKind } = input;
  if (agent === undefined) {
    if (peerKind === undefined && input.state === "dead_lettered") {
      return pageOf(ctx, input, (count) => newestDeadLetters(ctx, scope.no, input, count));
    }
    return pageOf(ctx, input, (count) => newestOfScope(ctx, scope.no, input, count));
  }
  const agentNo = await knownAgentNo(ctx, scope.no, agent);
  return conversationPage(ctx, await conversationsAsked(ctx, scope.no, agentNo, { peer, peerKind }), input);
}

/** Conversations of an agent, as far as somebody asked for them. */
async function conversationsAsked(
  ctx: Context,
  scopeNo: number,
  agentNo: number,
  { peer, peerKind }: { readonly peer?: string | undefined; readonly peerKind?: "agent" | "human" | undefined },
): Promise<ConversationRow[]> {
  if (peerKind === "human") return conversationsOfAgent(ctx, agentNo, HUMAN_NO);
  const peerNo = peer === undefined ? undefined : await knownAgentNo(ctx, scopeNo, peer);
  const conversations = await conversationsOfAgent(ctx, agentNo, peerNo);
  return peerKind === "agent" ? conversations.filter(isBetweenAgents) : conversations;
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
  readonly text?: string | undefined;
}

async function conversationPage(
  ctx: Context,
  conversations: readonly ConversationRow[],
  input: PageInput,
): Promise<MessagePage> {
  return pageOf(ctx, input, (count) => newest(ctx, conversations, input, count));
}

/** A page of what is read newest first: as it comes, or those of it that hold a text. */
async function pageOf(
  ctx: Context,
  { limit = LIMITS.messagePageDefault, text }: PageInput,
  newestOf: (count: number) => Promise<number[]>,
): Promise<MessagePage> {
  if (text === undefined) return messagePage(ctx, await newestOf(limit + 1), limit);
  return searchPage(ctx, await newestOf(LIMITS.searchedMessages + 1), text, limit);
}

/** The newest `count` messages of everybody, or of conversations of one kind. */
async function newestOfScope(
  ctx: Context,
  scopeNo: number,
  input: ParsedInput<"listMessages">,
  count: number,
): Promise<number[]> {
  const { peerKind, before, state } = input;
  const place = numericCursor(before, "before", Number.MAX_SAFE_INTEGER);
  const recent = peerKind === undefined ? await recentMessages(ctx, scopeNo, place, state, count) : undefined;
  return recent ?? newest(ctx, await conversationsOfScope(ctx, scopeNo, peerKind), input, count);
}

/** The newest `count` messages of some conversations, newest first. */
async function newest(
  ctx: Context,
  conversations: readonly ConversationRow[],
  input: PageInput,
  count: number,
): Promise<number[]> {
  const before = numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER);
  let seqs: number[] = [];
  let after = 0;
  const keepNewest = () => seqs.sort((a, b) => b - a).slice(0, count);
  // A page can only hold the newest entries of each conversation: read those from the index and merge.
  for (const { no } of conversations) {
    const rows = await ctx.tx.all<{ seq: number }>(
      `SELECT seq FROM messages WHERE conversation_no = ? AND seq < ? AND seq > ? AND (? IS NULL OR state = ?)
        ORDER BY seq DESC LIMIT ?`,
      no,
      before,
      after,
      input.state ?? null,
      input.state ?? null,
      count,
    );
    for (const { seq } of rows) seqs.push(seq);
    if (seqs.length < 2 * count) continue;
    // What is older than all of these is on no page of this size.
    seqs = keepNewest();
    after = seqs.at(-1) ?? 0;
  }
  return keepNewest();
}

/**
 * Those among `looked` that hold `text`. Compared here and not by the database, so that case means the same everywhere, and
 * bounded, so that a search never keeps everybody else waiting.
 */
async function searchPage(ctx: Context, looked: readonly number[], text: string, limit: number): Promise<MessagePage> {
  const wanted = text.toLowerCase();
  const messages: Message[] = [];
  for (const [index, seq] of looked.entries()) {
    if (index === LIMITS.searchedMessages || messages.length === limit) {
      return { messages, nextCursor: String(looked[index - 1]) };
    }
    const row = await ctx.tx.get<{ body: string }>("SELECT body FROM messages WHERE seq = ?", seq);
    if (row?.body.toLowerCase().includes(wanted)) messages.push(await messageBySeq(ctx, seq));
  }
  return { messages };
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
async function newestDeadLetters(ctx: Context, scopeNo: number, input: PageInput, count: number): Promise<number[]> {
  const rows = await ctx.tx.all<{ seq: number }>(
    "SELECT seq FROM messages WHERE scope_no = ? AND seq < ? AND state = 'dead_lettered' ORDER BY seq DESC LIMIT ?",
    scopeNo,
    numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER),
    count,
  );
  return rows.map((row) => row.seq);
}

async function messagePage(ctx: Context, seqs: readonly number[], limit: number): Promise<MessagePage> {
  const { items, ...rest } = page(seqs, limit, String);
  const messages: Message[] = [];
  for (const seq of items) messages.push(await messageBySeq(ctx, seq));
  return { messages, ...rest };
}

async function messageBySeq(ctx: Context, seq: number): Promise<Message> {
  return toMessage((await ctx.tx.get<MessageRow>(`${SELECT_MESSAGES} WHERE m.seq = ?`, seq)) as MessageRow);
}

export async function getMyMessage(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"getMyMessage">,
): Promise<Message> {
  const row = await ctx.tx.get<MessageRow>(
    `${SELECT_MESSAGES} WHERE m.id = ? AND m.scope_no = ?`,
    input.messageId,
    caller.scope.no,
  );
  if (!row || (row.senderNo !== caller.agentNo && row.recipientNo !== caller.agentNo)) {
    throw new IntercomError("NOT_FOUND", `Message ${input.messageId} does not exist`);
  }
  const message = toMessage(row);
  await answersShown(ctx, caller.scope, [message]);
  return message;
}

export async function listMyRequests(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"listMyRequests">,
): Promise<MessagePage> {
  const limit = input.limit ?? LIMITS.pageDefault;
  const rows = await ctx.tx.all<{ seq: number }>(
    `SELECT seq FROM messages WHERE recipient_no = ? AND ${UNANSWERED} AND seq > ? ORDER BY seq LIMIT ?`,
    caller.agentNo,
    numericCursor(input.after, "after", 0),
    limit + 1,
  );
  return messagePage(
    ctx,
    rows.map((row) => row.seq),
    limit,
  );
}
