import type { Context } from "./context.ts";

/**
 * The newest messages of a scope without looking into each of its conversations. Messages are stored in the order they were
 * sent, those of all scopes in one row, so the newest of a scope are mostly among the newest of all; an index that says
 * more would have to be paid for with every message that is sent.
 */

/** Places of that row that are looked at, however many of them are the scope's. */
const WINDOW = 2000;

/** Places to look at, the newest first; `all` when nothing is before them. */
interface Window {
  readonly from: number;
  readonly all: boolean;
}

async function windowBefore(ctx: Context, before: number): Promise<Window> {
  const newest = await ctx.tx.get<{ seq: number | null }>("SELECT MAX(seq) AS seq FROM messages");
  const from = Math.min(before, (newest?.seq ?? 0) + 1) - WINDOW;
  return { from, all: from <= 1 };
}

/** The newest `count` messages before a place, newest first; undefined when not enough of them are near. */
export async function recentMessages(
  ctx: Context,
  scopeNo: number,
  before: number,
  state: string | undefined,
  count: number,
): Promise<number[] | undefined> {
  const { from, all } = await windowBefore(ctx, before);
  const rows = await ctx.tx.all<{ seq: number }>(
    `SELECT seq FROM messages WHERE seq < ? AND seq >= ? AND scope_no = ? AND (? IS NULL OR state = ?)
      ORDER BY seq DESC LIMIT ?`,
    before,
    from,
    scopeNo,
    state ?? null,
    state ?? null,
    count,
  );
  return all || rows.length === count ? rows.map(({ seq }) => seq) : undefined;
}

/** A conversation with the place of its newest message. */
export interface RecentConversation {
  readonly no: number;
  readonly leftNo: number;
  readonly rightNo: number;
  readonly lastSeq: number;
}

/** The `count` conversations whose newest messages come right before a place, newest first. */
export async function recentConversations(
  ctx: Context,
  scopeNo: number,
  before: number,
  count: number,
): Promise<RecentConversation[]> {
  const { from, all } = await windowBefore(ctx, before);
  const near = await ctx.tx.all<RecentConversation>(
    `SELECT c.no, c.left_no AS leftNo, c.right_no AS rightNo, w.lastSeq
       FROM (SELECT conversation_no AS no, MAX(seq) AS lastSeq FROM messages
              WHERE seq < ? AND seq >= ? AND scope_no = ? GROUP BY conversation_no) w JOIN conversations c ON c.no = w.no
      WHERE NOT EXISTS (SELECT 1 FROM messages n WHERE n.conversation_no = w.no AND n.seq >= ?)
      ORDER BY w.lastSeq DESC LIMIT ?`,
    before,
    from,
    scopeNo,
    before,
    count,
  );
  if (all || near.length === count) return near;
  // One look into the index for each conversation of the scope.
  return ctx.tx.all<RecentConversation>(
    `SELECT no, leftNo, rightNo, lastSeq
       FROM (SELECT c.no, c.left_no AS leftNo, c.right_no AS rightNo,
                    (SELECT MAX(m.seq) FROM messages m WHERE m.conversation_no = c.no) AS lastSeq
               FROM conversations c WHERE c.scope_no = ?)
      WHERE lastSeq < ? ORDER BY lastSeq DESC LIMIT ?`,
    scopeNo,
    before,
    count,
  );
}
