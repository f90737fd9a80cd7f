import type { Context } from "./context.ts";
import { channels } from "./context.ts";
import { releaseReservationsOf } from "./reservations.ts";
import { releaseClaimsOf } from "./task-claims.ts";

export type EndReason = "expired" | "replaced" | "retired" | "rotated" | "removed" | "revoked";

export interface OpenExecution {
  readonly no: number;
  readonly id: string;
  readonly agentNo: number;
  readonly agentId: string;
  readonly scopeNo: number;
}

/** Ends an execution and frees what it held, so that nothing waits for somebody who is gone. */
export async function endExecution(ctx: Context, execution: OpenExecution, reason: EndReason): Promise<void> {
  await ctx.tx.run(
    "UPDATE executions SET ended_at = ?, end_reason = ? WHERE no = ? AND ended_at IS NULL",
    ctx.now,
    reason,
    execution.no,
  );
  await releaseReservationsOf(ctx, execution);
  await releaseClaimsOf(ctx, execution, reason);
  await wakeCallsOf(ctx, execution);
}

/** Calls an agent has left waiting look again, and learn whether the token they came with is still good. */
export async function wakeCallsOf(ctx: Context, execution: Pick<OpenExecution, "agentNo" | "scopeNo">): Promise<void> {
  ctx.wakes.add(channels.authority);
  ctx.wakes.add(channels.inbox(execution.agentNo));
  ctx.wakes.add(channels.tasks(execution.scopeNo));
  const questions = await ctx.tx.all<{ id: string }>(
    "SELECT id FROM escalations WHERE agent_no = ? AND status = 'pending'",
    execution.agentNo,
  );
  for (const { id } of questions) ctx.wakes.add(channels.escalation(id));
}

/**
 * Moves every running lease by `byMs` after the wall clock jumped: nobody's lease is lost or stretched by that. Messages
 * that were put off for a while move too, or a clock that is set back would keep them away for as long as it went.
 */
export async function shiftLeases(ctx: Context, byMs: number): Promise<void> {
  await ctx.tx.run("UPDATE executions SET lease_expires_at = lease_expires_at + ? WHERE ended_at IS NULL", byMs);
  await ctx.tx.run("UPDATE reservations SET expires_at = expires_at + ? WHERE state = 'open'", byMs);
  await ctx.tx.run("UPDATE messages SET retry_at = retry_at + ? WHERE retry_at IS NOT NULL", byMs);
}
