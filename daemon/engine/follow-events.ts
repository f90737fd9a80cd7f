import { channels, eventSequenceBounds, eventsOfAllScopes, type SequencedEvent } from "../core/index.ts";
import type { Engine } from "./engine.ts";

export type FollowedItem =
  | ({ readonly kind: "event" } & SequencedEvent)
  /** Events up to here are gone: rebuild from the resources and go on from here. */
  | { readonly kind: "resync"; readonly sequence: number }
  | { readonly kind: "idle" };

const BATCH = 100;

/** Where to begin in order to get what happens from now on. */
export async function newestEventSequence(engine: Engine): Promise<number> {
  return (await engine.transact("read", eventSequenceBounds)).newest;
}

/**
 * The events of every scope after `after`, for as long as the signal allows. Yields `idle` when `idleMs` pass without an
 * event, so that a door can send a sign of life.
 */
export async function* followEvents(
  engine: Engine,
  after: number,
  idleMs: number,
  signal: AbortSignal,
): AsyncGenerator<FollowedItem> {
  const listener = engine.hub.listen(channels.allEvents);
  try {
    let position = after;
    while (!signal.aborted) {
      const { bounds, batch } = await engine.transact("read", async (ctx) => ({
        bounds: await eventSequenceBounds(ctx),
        batch: await eventsOfAllScopes(ctx, position, BATCH),
      }));
      if (position > bounds.newest || position < bounds.oldest - 1) {
        position = bounds.newest;
        yield { kind: "resync", sequence: position };
        continue;
      }
      for (const item of batch) {
        position = item.sequence;
        yield { kind: "event", ...item };
      }
      if (batch.length === BATCH) continue;
      const end = await listener.wait(idleMs, signal);
      if (end === "aborted" || end === "stopping") return;
      if (end === "timeout") yield { kind: "idle" };
    }
  } finally {
    listener.close();
  }
}
