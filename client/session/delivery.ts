import { isIntercomError, LIMITS, type Message, type OperationInput, type Receipt } from "../../protocol/index.ts";
import { newIdempotencyKey } from "../idempotency-key.ts";
import { boundedText } from "./bounded-text.ts";
import type { SessionContext } from "./context.ts";

export interface ReplyOptions {
  readonly context?: OperationInput<"sendMessage">["context"];
  readonly expiresInMs?: number;
  /** A fresh one unless given. */
  readonly idempotencyKey?: string;
}

/** What a handler gets beside the message. */
export interface Delivery {
  /**
   * Answers the sender: with the response to a request, otherwise with a message of its own. A request takes one
   * response; replying once more, e.g. when a message is delivered again, returns the receipt of the first.
   */
  readonly reply: (body: string, options?: ReplyOptions) => Promise<Receipt>;
  /** Aborts when the session ends, or when it cannot wait for the handler any longer. */
  readonly signal: AbortSignal;
  /** How often the message has been delivered, from 1. */
  readonly attempt: number;
}

/** Deals with one message. It is acknowledged when this returns, and delivered again later when this throws. */
export type MessageHandler = (message: Message, delivery: Delivery) => unknown;

export interface RetryPolicy {
  /** Deliveries after which a message that still fails is set aside. */
  readonly maxAttempts: number;
  /** Milliseconds until the next delivery, after `attempt` of them failed. */
  readonly retryDelayMs: (attempt: number) => number;
}

/** Runs the handler for one message and tells the daemon how it went. Never throws. */
export async function deliver(
  session: SessionContext,
  message: Message,
  handler: MessageHandler,
  policy: RetryPolicy,
): Promise<boolean> {
  const attempt = Math.max(1, message.deliveryCount);
  const reply = (body: string, options?: ReplyOptions) => replyTo(session, message, body, options);
  if (attempt > policy.maxAttempts) {
    // No handler lived to say how it went. One more try would most likely take this process down as well.
    const reason = `Delivered ${attempt - 1} times, and each time its handler ended before it could tell how it went`;
    await setAside(session, message, reason).catch(session.onError);
    return false;
  }
  try {
    await handler(message, { reply, signal: session.work.signal, attempt });
  } catch (error) {
    // Not the message's fault; unacknowledged as it is, it comes to the next session.
    if (session.work.signal.aborted) return false;
    session.onError(error);
    await setBack(session, message, attempt, error, policy).catch(session.onError);
    return false;
  }
  await session.acknowledge([message]);
  return true;
}

async function setBack(
  session: SessionContext,
  message: Message,
  attempt: number,
  error: unknown,
  { maxAttempts, retryDelayMs }: RetryPolicy,
): Promise<void> {
  if (attempt >= maxAttempts) {
    const reason = boundedText(
      error instanceof Error ? error.message : String(error),
      LIMITS.reasonBytes,
      "The handler failed",
    );
    await setAside(session, message, reason);
    return;
  }
  const delayMs = Math.min(LIMITS.retryDelayMaxMs, Math.max(0, Math.round(retryDelayMs(attempt))));
  await session.persist(() => session.client.deferMessages({ messageIds: [message.id], delayMs }));
}

async function setAside(session: SessionContext, message: Message, reason: string): Promise<void> {
  await session.persist(() => session.client.deadLetterMessage({ messageId: message.id, reason }));
}

async function replyTo(
  session: SessionContext,
  message: Message,
  body: string,
  { context, expiresInMs, idempotencyKey = newIdempotencyKey() }: ReplyOptions = {},
): Promise<Receipt> {
  const { client, work } = session;
  const input: OperationInput<"sendMessage"> = {
    to: message.from,
    body,
    context,
    expiresInMs,
    ...(message.fromKind === "human" ? { toKind: "human" } : {}),
    ...(message.mode === "request" ? { mode: "response", responseTo: message.id } : { mode: "notify" }),
  };
  const options = { idempotencyKey, signal: work.signal };
  try {
    return await session.persist(() => client.sendMessage(input, options), work.signal);
  } catch (error) {
    if (message.mode !== "request" || !isIntercomError(error, "CONFLICT")) throw error;
    const { responseMessageId } = await client.getReceipt({ messageId: message.id }, { signal: work.signal });
    if (responseMessageId === undefined) throw error;
    return client.getReceipt({ messageId: responseMessageId }, { signal: work.signal });
  }
}
