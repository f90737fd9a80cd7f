import type { Message, Reservation } from "../../../../protocol/index.ts";
import { fitting } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";

export interface Taken<View> {
  /** Messages with what is shown of them. */
  readonly messages: readonly { readonly message: Message; readonly view: View }[];
  /** There may be more: some were given back, or as many came as were asked for. */
  readonly more: boolean;
}

interface Wanted<View> {
  readonly limit: number;
  readonly waitMs: number;
  /** Characters of JSON for all of them together. */
  readonly room: number;
  readonly view: (message: Message) => View;
}

/**
 * Takes as many messages out of the inbox as a result can hold. They are looked at while they are only reserved: what does
 * not fit is given back before it counts as delivered, so nothing is ever delivered that is not shown.
 */
export async function takeMessages<View>(wanted: Wanted<View>, { call, signal }: ToolContext): Promise<Taken<View>> {
  const { limit, waitMs, room, view } = wanted;
  const viewed = (messages: readonly Message[]) => messages.map((message) => ({ message, view: view(message) }));
  let reservation = await call("reserveInbox", { limit, waitMs });
  let more = reservation?.messages.length === limit;
  while (reservation && !signal.aborted) {
    const { id: reservationId, messages } = reservation;
    const count = fitting(committed(reservation).map(view), room).length;
    if (count === messages.length) return { messages: viewed(await call("commitInbox", { reservationId })), more };
    await call("releaseInbox", { reservationId });
    more = true;
    // Not always the first of these: new ones come before those that were delivered already. So it is looked at again.
    reservation = await call("reserveInbox", { limit: count });
  }
  // Nobody would read them. Given back, the next call has them at once instead of when the reservation runs out.
  if (reservation) await call("releaseInbox", { reservationId: reservation.id });
  return { messages: [], more };
}

/** The messages as they are once the reservation is committed. */
function committed({ messages }: Reservation): Message[] {
  return messages.map((message) => ({ ...message, deliveryCount: message.deliveryCount + 1 }));
}
