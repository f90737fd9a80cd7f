import { type Escalation, IntercomError, type ParsedInput } from "../../protocol/index.ts";
import type { OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { toInstant } from "./encoding.ts";
import { escalationById, escalationRow } from "./escalation-rows.ts";
import { recordEvent } from "./events.ts";
import { sendNotice } from "./notices.ts";

/** Nothing happens when the time has come: whoever shows questions to the human shows this one again. */
export async function deferEscalation(
  ctx: Context,
  caller: OwnerCaller,
  { escalationId, delayMs }: ParsedInput<"deferEscalation">,
): Promise<Escalation> {
  const { scope } = caller;
  const row = await escalationRow(ctx, scope, escalationId);
  if (row.status !== "pending") {
    throw new IntercomError("CONFLICT", `The question is ${row.status}, expected pending`, { status: row.status });
  }
  const until = delayMs === 0 ? null : ctx.now + delayMs;
  if (until === null && row.deferredUntil === null) return escalationById(ctx, scope, escalationId);
  await ctx.tx.run("UPDATE escalations SET deferred_until = ? WHERE no = ?", until, row.no);
  await recordEvent(ctx, scope.no, "escalation.deferred", row.id, {
    agentId: row.agentId,
    status: "pending",
    deferredUntil: toInstant(until ?? ctx.now),
  });
  ctx.wakes.add(channels.escalation(row.id));
  await sendNotice(ctx, scope, row.agentNo, {
    body:
      until === null
        ? "The human is looking at your question again, which had been put off."
        : `The human has put your question off until ${toInstant(until)}. It stays open; go on with what does not depend on it.`,
    about: { kind: "escalation", id: row.id },
  });
  return escalationById(ctx, scope, escalationId);
}
