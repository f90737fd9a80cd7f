import { type ContextItem, HUMAN_PARTY, LIMITS, type MessageSubject, SYSTEM_PARTY } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { ensureConversation, HUMAN_NO, SYSTEM_NO } from "./conversations.ts";
import { insertMessage } from "./message-insert.ts";

export interface Notice {
  readonly body: string;
  readonly context?: readonly ContextItem[];
  readonly about: MessageSubject;
  /** The human's own words, rather than something the daemon has to tell. */
  readonly fromHuman?: boolean;
}

/**
 * Puts a notice in an agent's inbox, for agents that take them. A notice of the daemon expires after a week, so an agent
 * that never comes back does not pile them up; the human's words stay.
 * @returns the id of the message; none for an agent that takes no notices
 */
export async function sendNotice(
  ctx: Context,
  scope: { readonly no: number },
  agentNo: number,
  notice: Notice,
): Promise<string | undefined> {
  const agent = await ctx.tx.get<{ id: string; notices: number }>(
    "SELECT id, notices FROM agents WHERE no = ?",
    agentNo,
  );
  if (!agent || agent.notices === 0) return undefined;
  const sender = notice.fromHuman ? { no: HUMAN_NO, id: HUMAN_PARTY } : { no: SYSTEM_NO, id: SYSTEM_PARTY };
  const conversation = await ensureConversation(ctx, scope.no, sender.no, agentNo);
  return insertMessage(ctx, {
    scopeNo: scope.no,
    conversationNo: conversation.no,
    sender,
    recipient: { no: agentNo, id: agent.id },
    mode: "notify",
    body: notice.body,
    context: notice.context,
    about: notice.about,
    pastLimit: true,
    expiresAt: notice.fromHuman ? undefined : ctx.now + LIMITS.noticeLifetimeMs,
  });
}
