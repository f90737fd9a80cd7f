import type { Message, MessageSubject } from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { HUMAN_NO } from "./conversations.ts";
import { fromJson } from "./encoding.ts";
import { type EscalationRow, SELECT_ESCALATIONS } from "./escalation-rows.ts";
import { recordEvent } from "./events.ts";

/**
 * When an agent first gets an answer. From then on nobody can take it back, so whatever shows one to its agent says so here,
 * in the transaction it shows it in.
 */

/** How an agent gets an answer. */
type By = "inbox" | "call";

/** The question as the agent that asked is about to be told it. A read with something to record is made again as a write. */
export async function answerTold(
  ctx: Context,
  scope: Pick<Scope, "no">,
  row: EscalationRow,
  by: By = "call",
): Promise<EscalationRow> {
  if (row.status !== "resolved" || row.answerReadAt !== null) return row;
  if (ctx.access === "read") {
    ctx.repeatAsWrite = true;
    return row;
  }
  await ctx.tx.run("UPDATE escalations SET answer_read_at = ? WHERE no = ?", ctx.now, row.no);
  await recordEvent(ctx, scope.no, "escalation.answer_read", row.id, { agentId: row.agentId, status: "resolved", by });
  return { ...row, answerReadAt: ctx.now };
}

/** The agent got a message of the human's: the answer to a question of its own, where it is about one. */
export async function answerDelivered(
  ctx: Context,
  message: { readonly senderNo: number; readonly scopeNo: number; readonly about: string | null },
): Promise<void> {
  if (message.senderNo !== HUMAN_NO || message.about === null) return;
  await answerSeen(ctx, message.scopeNo, fromJson<MessageSubject>(message.about), "inbox");
}

/** The agent looks at messages of its own; an answer may be among them that was never delivered. */
export async function answersShown(
  ctx: Context,
  scope: Pick<Scope, "no">,
  messages: readonly Message[],
): Promise<void> {
  for (const { fromKind, about, deliveredAt } of messages) {
    if (fromKind === "human" && about !== undefined && deliveredAt === undefined)
      await answerSeen(ctx, scope.no, about, "call");
  }
}

async function answerSeen(ctx: Context, scopeNo: number, about: MessageSubject, by: By): Promise<void> {
  if (about.kind !== "escalation") return;
  const row = await ctx.tx.get<EscalationRow>(
    `${SELECT_ESCALATIONS} WHERE q.scope_no = ? AND q.id = ?`,
    scopeNo,
    about.id,
  );
  if (row) await answerTold(ctx, { no: scopeNo }, row, by);
}
