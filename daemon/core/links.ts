import { LIMITS, type Link, type ParsedInput } from "../../protocol/index.ts";
import { agentNoOf } from "./agents.ts";
import type { OwnerCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { ensureConversation, findConversation } from "./conversations.ts";
import { numericCursor, page, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";

interface Party {
  readonly no: number;
  readonly id: string;
}

/** Links two agents; nothing happens when they are linked already. */
export async function link(ctx: Context, scope: Scope, a: Party, b: Party): Promise<void> {
  const conversation = await ensureConversation(ctx, scope.no, a.no, b.no);
  if (conversation.linkedAt !== null) return;
  await ctx.tx.run("UPDATE conversations SET linked_at = ? WHERE no = ?", ctx.now, conversation.no);
  const [left, right] = a.id < b.id ? [a.id, b.id] : [b.id, a.id];
  await recordEvent(ctx, scope.no, "link.created", `${left}:${right}`, { leftAgent: left, rightAgent: right });
}

async function bothParties(ctx: Context, scope: Scope, leftId: string, rightId: string): Promise<[Party, Party]> {
  const left = { no: await agentNoOf(ctx, scope.no, leftId), id: leftId };
  return [left, { no: await agentNoOf(ctx, scope.no, rightId), id: rightId }];
}

export async function linkAgents(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"linkAgents">,
): Promise<{ linked: true }> {
  await link(ctx, caller.scope, ...(await bothParties(ctx, caller.scope, input.left, input.right)));
  return { linked: true };
}

export async function unlinkAgents(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"unlinkAgents">,
): Promise<{ unlinked: boolean }> {
  const [a, b] = await bothParties(ctx, caller.scope, input.left, input.right);
  const conversation = await findConversation(ctx, a.no, b.no);
  if (!conversation || conversation.linkedAt === null) return { unlinked: false };
  await ctx.tx.run("UPDATE conversations SET linked_at = NULL WHERE no = ?", conversation.no);
  const [left, right] = a.id < b.id ? [a.id, b.id] : [b.id, a.id];
  await recordEvent(ctx, caller.scope.no, "link.removed", `${left}:${right}`, { leftAgent: left, rightAgent: right });
  return { unlinked: true };
}

export async function listLinks(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listLinks">,
): Promise<{ links: Link[]; nextCursor?: string }> {
  const limit = input.limit ?? LIMITS.pageDefault;
  const rows = await ctx.tx.all<{ no: number; leftId: string; rightId: string; linkedAt: number }>(
    `SELECT c.no, l.id AS leftId, r.id AS rightId, c.linked_at AS linkedAt
       FROM conversations c JOIN agents l ON l.no = c.left_no JOIN agents r ON r.no = c.right_no
      WHERE c.scope_no = ? AND c.no > ? AND c.linked_at IS NOT NULL ORDER BY c.no LIMIT ?`,
    caller.scope.no,
    numericCursor(input.after, "after", 0),
    limit + 1,
  );
  const { items, ...rest } = page(rows, limit, (row) => String(row.no));
  return {
    links: items.map((row) => ({ left: row.leftId, right: row.rightId, createdAt: toInstant(row.linkedAt) })),
    ...rest,
  };
}
