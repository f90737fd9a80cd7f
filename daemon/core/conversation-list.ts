import { type Conversation, LIMITS, type ParsedInput } from "../../protocol/index.ts";
import type { OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { HUMAN_NO } from "./conversations.ts";
import { numericCursor, page } from "./encoding.ts";
import { ACTIVE, type MessageRow, partyKind, SELECT_MESSAGES, toMessage } from "./message-rows.ts";
import { type RecentConversation, recentConversations } from "./recent-messages.ts";

/**
 * Who has written to whom. Nothing of it is kept up to date by those who send: the newest conversations are looked for, and
 * the rest is counted for those of the page only.
 */
export async function listConversations(ctx: Context, { scope }: OwnerCaller, input: ParsedInput<"listConversations">) {
  const limit = input.limit ?? LIMITS.messagePageDefault;
  const before = numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER);
  const rows = await recentConversations(ctx, scope.no, before, limit + 1);
  const { items, ...rest } = page(rows, limit, (row) => String(row.lastSeq));
  const counts = new Counts(ctx, scope.no);
  const conversations: Conversation[] = [];
  for (const row of items) conversations.push(await describe(ctx, row, counts));
  return { conversations, ...rest };
}

async function describe(
  ctx: Context,
  { no, leftNo, rightNo, lastSeq }: RecentConversation,
  counts: Counts,
): Promise<Conversation> {
  const last = (await ctx.tx.get<MessageRow>(`${SELECT_MESSAGES} WHERE m.seq = ?`, lastSeq)) as MessageRow;
  const lastMessage = toMessage(last);
  const from = { kind: lastMessage.fromKind, id: lastMessage.from };
  const to = { kind: lastMessage.toKind, id: lastMessage.to };
  const messages = await ctx.tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM messages WHERE conversation_no = ?", no);
  return {
    ...(last.senderNo === leftNo ? { left: from, right: to } : { left: to, right: from }),
    messages: messages?.n ?? 0,
    undelivered: (await counts.undelivered(leftNo, rightNo)) + (await counts.undelivered(rightNo, leftNo)),
    unreadByHuman: leftNo === HUMAN_NO ? await counts.unreadByHuman(rightNo) : 0,
    lastMessage,
  };
}

/** Counts by sender, of one recipient at a time and each only once: together no more than what nobody has dealt with. */
class Counts {
  readonly #ctx: Context;
  readonly #scopeNo: number;
  readonly #undelivered = new Map<number, Map<number, number>>();
  #unread: Map<number, number> | undefined;

  constructor(ctx: Context, scopeNo: number) {
    this.#ctx = ctx;
    this.#scopeNo = scopeNo;
  }

  async undelivered(senderNo: number, recipientNo: number): Promise<number> {
    // Everybody else has a message by its being stored.
    if (partyKind(recipientNo) !== "agent") return 0;
    let bySender = this.#undelivered.get(recipientNo);
    if (!bySender) {
      bySender = await this.#bySender(
        `SELECT senderNo, COUNT(*) AS n FROM (
           SELECT sender_no AS senderNo FROM messages WHERE recipient_no = ? AND state = 'queued' AND ${ACTIVE}
           UNION ALL
           SELECT sender_no FROM messages WHERE recipient_no = ? AND state = 'reserved' AND ${ACTIVE} AND delivered_at IS NULL)
          GROUP BY senderNo`,
        recipientNo,
        recipientNo,
      );
      this.#undelivered.set(recipientNo, bySender);
    }
    return bySender.get(senderNo) ?? 0;
  }

  async unreadByHuman(senderNo: number): Promise<number> {
    this.#unread ??= await this.#bySender(
      `SELECT sender_no AS senderNo, COUNT(*) AS n FROM messages
        WHERE scope_no = ? AND recipient_no = 0 AND state = 'delivered' GROUP BY sender_no`,
      this.#scopeNo,
    );
    return this.#unread.get(senderNo) ?? 0;
  }

  async #bySender(query: string, ...parameters: number[]): Promise<Map<number, number>> {
    const rows = await this.#ctx.tx.all<{ senderNo: number; n: number }>(query, ...parameters);
    return new Map(rows.map(({ senderNo, n }) => [senderNo, n]));
  }
}
