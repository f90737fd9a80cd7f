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
  return conversationPage(ctx, caller.agentNo, peerNo, input);
}

export async function listMessages(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listMessages">,
): Promise<MessagePage> {
  if (input.agent === undefined) return deadLetterPage(ctx, caller, input);
  const agentNo = await knownAgentNo(ctx, caller.scope.no, input.agent);
  if (input.peerKind === "human") return conversationPage(ctx, agentNo, HUMAN_NO, input);
  const peerNo = input.peer === undefined ? undefined : await knownAgentNo(ctx, caller.scope.no, input.peer);
  return conversationPage(ctx, agentNo, peerNo, input);
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
  agentNo: number,
  peerNo: number | undefined,
  input: PageInput,
): Promise<MessagePage> {
  const limit = input.limit ?? LIMITS.messagePageDefault;
  const before = numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER);
  const seqs: number[] = [];
  // A page can only hold the newest entries of each conversation: read those from the index and merge.
  for (const conversationNo of await conversationNumbers(ctx, agentNo, peerNo)) {
    const rows = await ctx.tx.all<{ seq: number }>(
      `SELECT seq FROM messages WHERE conversation_no = ? AND seq < ? AND (? IS NULL OR state = ?) ORDER BY seq DESC LIMIT ?`,
      conversationNo,
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

async function conversationNumbers(ctx: Context, agentNo: number, peerNo: number | undefined): Promise<number[]> {
  if (peerNo !== undefined) {
    const conversation = await findConversation(ctx, agentNo, peerNo);
    return conversation ? [conversation.no] : [];
  }
  const rows = await ctx.tx.all<{ no: number }>(
    "SELECT no FROM conversations WHERE left_no = ? UNION SELECT no FROM conversations WHERE right_no = ?",
    agentNo,
    agentNo,
  );
  return rows.map((row) => row.no);
}

async function deadLetterPage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listMessages">,
): Promise<MessagePage> {
  if (input.state !== "dead_lettered") {
    throw new IntercomError("INVALID_ARGUMENT", "agent: is required, except with state dead_lettered");
  }
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
