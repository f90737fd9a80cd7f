import type { Scope } from "./caller.ts";
import type { Context } from "./context.ts";

/** Party numbers of those who are not agents. */
export const HUMAN_NO = 0;
export const SYSTEM_NO = -1;

/** Party number of the holder of an A2A credential, and back. */
export function principalParty(principalNo: number): number {
  return SYSTEM_NO - principalNo;
}

export function isPrincipalParty(partyNo: number): boolean {
  return partyNo < SYSTEM_NO;
}

export interface Conversation {
  readonly no: number;
  readonly linkedAt: number | null;
}

/** The conversation of two parties, if they ever had one. */
export async function findConversation(ctx: Context, a: number, b: number): Promise<Conversation | undefined> {
  return ctx.tx.get<Conversation>(
    "SELECT no, linked_at AS linkedAt FROM conversations WHERE left_no = ? AND right_no = ?",
    Math.min(a, b),
    Math.max(a, b),
  );
}

export async function ensureConversation(ctx: Context, scopeNo: number, a: number, b: number): Promise<Conversation> {
  const existing = await findConversation(ctx, a, b);
  if (existing) return existing;
  const row = await ctx.tx.get<{ no: number }>(
    "INSERT INTO conversations (scope_no, left_no, right_no) VALUES (?, ?, ?) RETURNING no",
    scopeNo,
    Math.min(a, b),
    Math.max(a, b),
  );
  return { no: (row as { no: number }).no, linkedAt: null };
}

/** Whether one agent may message the other. */
export async function arePeers(ctx: Context, scope: Scope, a: number, b: number): Promise<boolean> {
  if (scope.linkPolicy === "open") return true;
  const conversation = await findConversation(ctx, a, b);
  return conversation !== undefined && conversation.linkedAt !== null;
}
