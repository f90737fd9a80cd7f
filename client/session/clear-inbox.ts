import type { Message } from "../../protocol/index.ts";
import type { SessionContext } from "./context.ts";

/**
 * Takes what somebody in the session already knows out of an inbox that has no reader. Only if nothing else is in there:
 * no other message may count as delivered before somebody reads it. A reader that is started later deals with the rest.
 */
export async function clearInbox(session: SessionContext, isKnown: (message: Message) => boolean): Promise<void> {
  if (session.reading) return;
  const { client } = session;
  const reservation = await client.reserveInbox({ limit: 10, waitMs: 0 });
  if (reservation === null) return;
  const reservationId = reservation.id;
  if (reservation.messages.every(isKnown)) await session.acknowledge(await client.commitInbox({ reservationId }));
  else await client.releaseInbox({ reservationId });
}
