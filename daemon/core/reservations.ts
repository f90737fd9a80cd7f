import type { Context } from "./context.ts";
import { channels } from "./context.ts";
import { type MessageHead, recordMessageEvent, SELECT_HEADS } from "./message-rows.ts";

/** Puts a reservation's messages back to where they were: queued, or delivered if they had been before. */
export async function releaseReservation(
  ctx: Context,
  reservation: { readonly no: number; readonly agentNo: number },
  state: "released" | "expired",
): Promise<void> {
  const heads = await ctx.tx.all<MessageHead>(
    `${SELECT_HEADS} WHERE m.reservation_no = ? AND m.state = 'reserved' ORDER BY m.seq`,
    reservation.no,
  );
  await ctx.tx.run(
    `UPDATE messages SET state = CASE WHEN delivered_at IS NULL THEN 'queued' ELSE 'delivered' END, reservation_no = NULL
      WHERE reservation_no = ? AND state = 'reserved'`,
    reservation.no,
  );
  await ctx.tx.run("UPDATE reservations SET state = ? WHERE no = ?", state, reservation.no);
  for (const head of heads) {
    await recordMessageEvent(ctx, "message.released", head, head.deliveredAt === null ? "queued" : "delivered");
  }
  ctx.wakes.add(channels.inbox(reservation.agentNo));
}

/** Releases whatever an execution has reserved. */
export async function releaseReservationsOf(
  ctx: Context,
  execution: { readonly no: number; readonly agentNo: number },
): Promise<void> {
  const open = await ctx.tx.all<{ no: number }>(
    // Only a handful are open at any time.
    "SELECT no FROM reservations WHERE state = 'open' AND execution_no = ?",
    execution.no,
  );
  for (const { no } of open) await releaseReservation(ctx, { no, agentNo: execution.agentNo }, "released");
}
