import { LIMITS } from "../../protocol/index.ts";
import { a2aMessageFailed } from "./a2a-tasks.ts";
import { type Context, channels } from "./context.ts";
import { isPrincipalParty } from "./conversations.ts";
import { recordEvent } from "./events.ts";
import { endExecution, type OpenExecution } from "./executions.ts";
import { ACTIVE, leaveActive, type MessageHead, recordMessageEvent, SELECT_HEADS } from "./message-rows.ts";
import { releaseReservation } from "./reservations.ts";

/** Largest number of each kind settled in one transaction, so that nobody waits long behind it. */
const BATCH = 200;

/**
 * Makes true what time alone has decided: expired messages, reservations, leases and questions, and retries that are
 * due. Runs before any call that could notice. Every deadline is a row, so this works the same after a restart.
 * @returns when the next thing falls due, ms since the epoch; `Infinity` when nothing will
 */
export async function settle(ctx: Context): Promise<number> {
  await expireMessages(ctx);
  await expireReservations(ctx);
  await expireLeases(ctx);
  await expireEscalations(ctx);
  await wakeRetries(ctx);
  await forgetOldKeys(ctx);
  return nextDeadline(ctx);
}

async function expireMessages(ctx: Context): Promise<void> {
  const due = await ctx.tx.all<MessageHead>(
    `${SELECT_HEADS} WHERE m.expires_at <= ? AND m.expires_at IS NOT NULL AND m.${ACTIVE}
      ORDER BY m.expires_at LIMIT ?`,
    ctx.now,
    BATCH,
  );
  for (const head of due) {
    await ctx.tx.run(
      "UPDATE messages SET state = 'expired', reservation_no = NULL, retry_at = NULL WHERE seq = ?",
      head.seq,
    );
    await leaveActive(ctx, head);
    await recordMessageEvent(ctx, "message.expired", head, "expired");
    if (isPrincipalParty(head.senderNo) && head.deliveredAt === null)
      await a2aMessageFailed(ctx, head.scopeNo, head.id);
  }
}

async function expireReservations(ctx: Context): Promise<void> {
  const due = await ctx.tx.all<{ no: number; agentNo: number }>(
    "SELECT no, agent_no AS agentNo FROM reservations WHERE expires_at <= ? AND state = 'open' ORDER BY expires_at LIMIT ?",
    ctx.now,
    BATCH,
  );
  for (const reservation of due) await releaseReservation(ctx, reservation, "expired");
  await forgetReservations(ctx);
}

/**
 * Ended reservations are remembered for a while, only to answer a late commit precisely. The store gives their numbers
 * out again, so no message may go on naming one: a stranger's commit would hand that message over.
 */
async function forgetReservations(ctx: Context): Promise<void> {
  // Numbers grow with time, so the oldest are found without an index that every reservation would have to pay for.
  const oldest = await ctx.tx.all<{ no: number; state: string; expiresAt: number }>(
    "SELECT no, state, expires_at AS expiresAt FROM reservations ORDER BY no LIMIT ?",
    BATCH,
  );
  for (const { no, state, expiresAt } of oldest) {
    if (state === "open" || expiresAt > ctx.now - LIMITS.endedReservationMs) continue;
    await ctx.tx.run("UPDATE messages SET reservation_no = NULL WHERE reservation_no = ?", no);
    await ctx.tx.run("DELETE FROM reservations WHERE no = ?", no);
  }
}

async function expireLeases(ctx: Context): Promise<void> {
  const due = await ctx.tx.all<OpenExecution>(
    `SELECT e.no, e.id, a.no AS agentNo, a.id AS agentId, a.scope_no AS scopeNo
       FROM executions e JOIN agents a ON a.no = e.agent_no
      WHERE e.lease_expires_at <= ? AND e.ended_at IS NULL ORDER BY e.lease_expires_at LIMIT ?`,
    ctx.now,
    BATCH,
  );
  for (const execution of due) {
    await endExecution(ctx, execution, "expired");
    await recordEvent(ctx, execution.scopeNo, "agent.lease_expired", execution.agentId, { executionId: execution.id });
  }
}

async function expireEscalations(ctx: Context): Promise<void> {
  const due = await ctx.tx.all<{ no: number; id: string; scopeNo: number; agentId: string }>(
    `SELECT q.no, q.id, q.scope_no AS scopeNo, a.id AS agentId FROM escalations q JOIN agents a ON a.no = q.agent_no
      WHERE q.expires_at <= ? AND q.status = 'pending' AND q.expires_at IS NOT NULL ORDER BY q.expires_at LIMIT ?`,
    ctx.now,
    BATCH,
  );
  for (const escalation of due) {
    await ctx.tx.run("UPDATE escalations SET status = 'expired', expired_at = ? WHERE no = ?", ctx.now, escalation.no);
    await recordEvent(ctx, escalation.scopeNo, "escalation.expired", escalation.id, {
      agentId: escalation.agentId,
      status: "expired",
    });
    ctx.wakes.add(channels.escalation(escalation.id));
  }
}

async function wakeRetries(ctx: Context): Promise<void> {
  const due = await ctx.tx.all<{ seq: number; recipientNo: number }>(
    "SELECT seq, recipient_no AS recipientNo FROM messages WHERE retry_at <= ? AND retry_at IS NOT NULL ORDER BY retry_at LIMIT ?",
    ctx.now,
    BATCH,
  );
  for (const { seq, recipientNo } of due) {
    await ctx.tx.run("UPDATE messages SET retry_at = NULL WHERE seq = ?", seq);
    ctx.wakes.add(channels.inbox(recipientNo));
  }
}

async function forgetOldKeys(ctx: Context): Promise<void> {
  await ctx.tx.run(
    `DELETE FROM idempotency WHERE (scope_no, actor_no, key) IN (
        SELECT scope_no, actor_no, key FROM idempotency WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    ctx.now - LIMITS.idempotencyLifetimeMs,
    BATCH,
  );
}

async function nextDeadline(ctx: Context): Promise<number> {
  const row = await ctx.tx.get<Record<"message" | "reservation" | "lease" | "escalation" | "retry", number | null>>(
    `SELECT (SELECT MIN(expires_at) FROM messages WHERE expires_at IS NOT NULL
                AND ${ACTIVE}) AS message,
            (SELECT MIN(expires_at) FROM reservations WHERE state = 'open') AS reservation,
            (SELECT MIN(lease_expires_at) FROM executions WHERE ended_at IS NULL) AS lease,
            (SELECT MIN(expires_at) FROM escalations WHERE status = 'pending' AND expires_at IS NOT NULL) AS escalation,
            (SELECT MIN(retry_at) FROM messages WHERE retry_at IS NOT NULL) AS retry`,
  );
  const dues = Object.values(row ?? {}).filter((due) => due !== null);
  return dues.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...dues);
}
