import { isIntercomError, LIMITS, type Message, operations, parseInput } from "../../protocol/index.ts";
import { sleep } from "../timers.ts";
import type { SessionContext } from "./context.ts";
import { deliver, type MessageHandler, type RetryPolicy } from "./delivery.ts";

export interface InboxOptions {
  /** Handlers that run at the same time, within one batch. Default 1: messages are dealt with in order. */
  readonly concurrency?: number;
  /**
   * Messages taken at once, 1 to 100. Default: as many as `concurrency`. The next batch is taken when all of them are
   * dealt with. A handler that ends the process counts as an attempt for its whole batch.
   */
  readonly batch?: number;
  /** Milliseconds one call waits for messages, at most 25 000, which is the default. */
  readonly waitMs?: number;
  /** Deliveries after which a message that still fails is set aside (dead-lettered). Default 5. */
  readonly maxAttempts?: number;
  /** Milliseconds until a failed message is delivered again. Default 1 s, 4 s, 16 s, ... up to an hour. */
  readonly retryDelayMs?: (attempt: number) => number;
}

/** Takes a message that somebody else in the session is waiting for. */
export type Taker = (message: Message) => Promise<boolean>;

export interface InboxSettings extends RetryPolicy {
  readonly concurrency: number;
  readonly limit: number;
  readonly waitMs: number;
}

/** Least time between two empty answers, and after an error that no repetition cures. */
const IDLE_MS = 1_000;

/**
 * Reads the inbox of a session: reserve, commit, hand over, acknowledge.
 * @param untilEmpty Stops at the first empty answer instead of waiting for more.
 * @returns Number of messages the handler has dealt with.
 * @throws {IntercomError} When the session has ended, or (with `untilEmpty`) on an error that no repetition cures.
 */
export async function readInbox(
  session: SessionContext,
  takers: readonly Taker[],
  handler: MessageHandler,
  settings: InboxSettings,
  stop: AbortSignal,
  untilEmpty: boolean,
): Promise<number> {
  let handled = 0;
  while (!stop.aborted) {
    const asked = session.timers.now();
    try {
      const messages = await receive(session, settings, stop);
      if (messages) handled += await process(session, takers, handler, settings, messages, stop);
      else if (untilEmpty) break;
      if (messages?.length) continue;
    } catch (error) {
      if (stop.aborted) break;
      if (untilEmpty || session.lease.ended.aborted) throw error;
      session.onError(error);
    }
    // A daemon that is stopping may cut the wait short; do not spin meanwhile.
    await sleep(session.timers, IDLE_MS - (session.timers.now() - asked), stop);
  }
  return handled;
}

/** @throws {IntercomError} `INVALID_ARGUMENT` */
export function inboxSettings(options: InboxOptions, untilEmpty: boolean): InboxSettings {
  const { concurrency = 1, batch = concurrency, waitMs = LIMITS.waitMaxMs, maxAttempts = 5, retryDelayMs } = options;
  parseInput(operations.reserveInbox.input, { limit: batch, waitMs });
  return {
    concurrency: Math.max(1, concurrency),
    limit: batch,
    waitMs: untilEmpty ? 0 : waitMs,
    maxAttempts,
    retryDelayMs: retryDelayMs ?? ((attempt) => 1_000 * 4 ** (attempt - 1)),
  };
}

/** Messages that have arrived for good; undefined when there were none. */
async function receive(
  session: SessionContext,
  { limit, waitMs }: InboxSettings,
  stop: AbortSignal,
): Promise<readonly Message[] | undefined> {
  const { client } = session;
  session.receiving = true;
  try {
    const reserve = () => client.reserveInbox({ limit, waitMs }, { signal: stop });
    const reservation = await session.persist(reserve, stop);
    if (reservation === null) return undefined;
    const reservationId = reservation.id;
    if (stop.aborted) {
      await client.releaseInbox({ reservationId }).catch(session.onError);
      return undefined;
    }
    return await session.persist(() => client.commitInbox({ reservationId }));
  } catch (error) {
    // The reservation ran out, or its commit arrived and only the answer got lost: the messages come again.
    if (isIntercomError(error, "NOT_FOUND") || isIntercomError(error, "CONFLICT")) return [];
    throw error;
  } finally {
    session.receiving = false;
  }
}

async function process(
  session: SessionContext,
  takers: readonly Taker[],
  handler: MessageHandler,
  settings: InboxSettings,
  messages: readonly Message[],
  stop: AbortSignal,
): Promise<number> {
  const settled: Message[] = [];
  const rest: Message[] = [];
  // First what others wait for: an earlier message's handler may be among them.
  for (const message of messages) {
    const taken = session.handled.has(message.id) || (await takenBy(takers, message));
    (taken ? settled : rest).push(message);
  }
  await session.acknowledge(settled);
  let handled = 0;
  const queue = rest.values();
  const worker = async (): Promise<void> => {
    for (const message of queue) {
      if (stop.aborted || session.work.signal.aborted) return;
      if (await deliver(session, message, handler, settings)) handled += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(settings.concurrency, rest.length) }, worker));
  return handled;
}

async function takenBy(takers: readonly Taker[], message: Message): Promise<boolean> {
  for (const take of takers) if (await take(message)) return true;
  return false;
}
