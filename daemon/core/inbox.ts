import { IntercomError, LIMITS, type Message, type ParsedInput, type Reservation } from "../../protocol/index.ts";
import { a2aMessageDelivered } from "./a2a-tasks.ts";
import { answerDelivered } from "./answers-read.ts";
import type { AgentCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { isPrincipalParty } from "./conversations.ts";
import { toInstant } from "./encoding.ts";
import { ACTIVE, type MessageRow, recordMessageEvent, SELECT_MESSAGES, toMessage } from "./message-rows.ts";
import { releaseReservation } from "./reservations.ts";

export async function reserveInbox(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"reserveInbox">,
): Promise<Reservation | null> {
  const seqs = await nextMessages(ctx, caller.agentNo, input.limit || LIMITS.reserveMessagesDefault);
  if (seqs.length === 0) return null;
  const id = ctx.ids.next("reservation");
  const expiresAt = ctx.now + LIMITS.reservationMs;
  const reservation = await ctx.tx.get<{ no: number }>(
    "INSERT INTO reservations (id, agent_no, execution_no, expires_at, state) VALUES (?, ?, ?, ?, 'open') RETURNING no",
    id,
    caller.agentNo,
    caller.executionNo,
    expiresAt,
  );
  const { no } = reservation as { no: number };
  const messages: Message[] = [];
  for (const seq of seqs) {
    await ctx.tx.run(
      "UPDATE messages SET state = 'reserved', reservation_no = ?, retry_at = NULL WHERE seq = ?",
      no,
      seq,
    );
    const row = (await ctx.tx.get<MessageRow>(`${SELECT_MESSAGES} WHERE m.seq = ?`, seq)) as MessageRow;
    await recordMessageEvent(ctx, "message.reserved", row, "reserved");
    messages.push(toMessage(row));
  }
  ctx.deadline(expiresAt);
  return { id, expiresAt: toInstant(expiresAt), messages };
}

/**
 * New messages first, so that old ones nobody acknowledges cannot keep them out; in the order they were sent.
 */
async function nextMessages(ctx: Context, agentNo: number, limit: number): Promise<number[]> {
  const queued = await ctx.tx.all<{ seq: number }>(
    `SELECT seq FROM messages WHERE recipient_no = ? AND state = 'queued' AND ${ACTIVE} ORDER BY seq LIMIT ?`,
    agentNo,
    limit,
  );
  const again =
    queued.length === limit
      ? []
      : await ctx.tx.all<{ seq: number }>(
          `SELECT seq FROM messages WHERE recipient_no = ? AND state = 'delivered' AND ${ACTIVE} AND (retry_at IS NULL OR retry_at <= ?)
            ORDER BY seq LIMIT ?`,
          agentNo,
          ctx.now,
          limit - queued.length,
        );
  return [...queued, ...again].map((row) => row.seq).sort((a, b) => a - b);
}

interface ReservationRow {
  readonly no: number;
  readonly state: "open" | "committed" | "released" | "expired";
}

async function findReservation(ctx: Context, caller: AgentCaller, id: string): Promise<ReservationRow | undefined> {
  return ctx.tx.get<ReservationRow>(
    "SELECT no, state FROM reservations WHERE id = ? AND execution_no = ?",
    id,
    caller.executionNo,
  );
}

/** Repeating a commit answers with the same messages, so a lost answer costs nothing. */
export async function commitInbox(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"commitInbox">,
): Promise<Message[]> {
  const reservation = await findReservation(ctx, caller, input.reservationId);
  if (!reservation) throw new IntercomError("NOT_FOUND", `Reservation ${input.reservationId} does not exist`);
  const first = reservation.state === "open";
  if (first) await markDelivered(ctx, reservation.no);
  else if (reservation.state !== "committed") {
    throw new IntercomError("CONFLICT", `The reservation has been ${reservation.state}`, { state: reservation.state });
  }
  const rows = await ctx.tx.all<MessageRow>(
    `${SELECT_MESSAGES} WHERE m.reservation_no = ? ORDER BY m.seq`,
    reservation.no,
  );
  if (first) {
    for (const row of rows) {
      await recordMessageEvent(ctx, "message.delivered", row, "delivered");
      if (isPrincipalParty(row.senderNo)) await a2aMessageDelivered(ctx, row.scopeNo, row.id);
      await answerDelivered(ctx, row);
    }
  }
  return rows.map(toMessage);
}

async function markDelivered(ctx: Context, reservationNo: number): Promise<void> {
  await ctx.tx.run(
    `UPDATE messages SET state = 'delivered', delivered_at = COALESCE(delivered_at, ?), delivery_count = delivery_count + 1
      WHERE reservation_no = ? AND state = 'reserved'`,
    ctx.now,
    reservationNo,
  );
  await ctx.tx.run("UPDATE reservations SET state = 'committed' WHERE no = ?", reservationNo);
}

export async function releaseInbox(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"releaseInbox">,
): Promise<{ released: true }> {
  const reservation = await findReservation(ctx, caller, input.reservationId);
  if (reservation?.state === "open") {
    await releaseReservation(ctx, { no: reservation.no, agentNo: caller.agentNo }, "released");
  }
  return { released: true };
}
