import { IntercomError, type Message, type OperationInput } from "../../protocol/index.ts";
import { backoffMs } from "../backoff.ts";
import { Deadline } from "../deadline.ts";
import { newIdempotencyKey } from "../idempotency-key.ts";
import { sleep } from "../timers.ts";
import { clearInbox } from "./clear-inbox.ts";
import type { SessionContext } from "./context.ts";

export interface AskOptions {
  /** Milliseconds to wait for the response. Default 600 000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly context?: OperationInput<"sendMessage">["context"];
  /** Milliseconds after which the request is no longer delivered; never unless given. */
  readonly expiresInMs?: number;
  /** A fresh one unless given. */
  readonly idempotencyKey?: string;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const POLL = { baseMs: 250, maxMs: 2_000 };
/** While the inbox loop receives, looking at the receipt only serves to notice that no response will come. */
const IDLE_POLL_MS = 10_000;
const PAGE = 50;
const PAGES = 10;

/** Requests of this session that wait for their response. */
export class Asks {
  readonly #session: SessionContext;
  readonly #waiting = new Map<string, (response: Message) => void>();
  readonly #sending = new Set<{ readonly peer: string; readonly settled: Promise<void> }>();

  constructor(session: SessionContext) {
    this.#session = session;
  }

  async ask(peer: string, body: string, options: AskOptions = {}): Promise<Message> {
    const { client, timers, lease } = this.#session;
    const {
      timeoutMs = DEFAULT_TIMEOUT_MS,
      signal,
      idempotencyKey = newIdempotencyKey(),
      context,
      expiresInMs,
    } = options;
    const deadline = new Deadline(timers, timeoutMs, signal, lease.ended);
    const settle = this.#beginSending(peer);
    const input = { to: peer, body, mode: "request", context, expiresInMs } as const;
    let messageId: string | undefined;
    try {
      const send = () => client.sendMessage(input, { idempotencyKey, signal: deadline.signal });
      const receipt = await this.#session.persist(send, deadline.signal);
      messageId = receipt.messageId;
      const response = this.#response(messageId, peer, deadline.signal);
      settle();
      return await response;
    } catch (error) {
      throw deadline.signal.aborted ? deadline.error(`The request to ${peer}`, { messageId }) : error;
    } finally {
      settle();
      deadline.dispose();
    }
  }

  /** Hands a response to the question it answers. False where nobody waits for it any more. */
  async take(message: Message): Promise<boolean> {
    const { responseTo } = message;
    if (message.mode !== "response" || responseTo === undefined) return false;
    // A quick peer answers before the receipt of the request has come back.
    for (const { peer, settled } of this.#sending) if (peer === message.from) await settled;
    const hand = this.#waiting.get(responseTo);
    hand?.(message);
    return hand !== undefined;
  }

  #beginSending(peer: string): () => void {
    let settle = (): void => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const entry = { peer, settled };
    this.#sending.add(entry);
    return () => {
      this.#sending.delete(entry);
      settle();
    };
  }

  #response(messageId: string, peer: string, signal: AbortSignal): Promise<Message> {
    return new Promise((resolve, reject) => {
      const settled = new AbortController();
      // Whoever gets here first has taken the entry away, so a response is either handed over or left to the inbox.
      const settle = (): boolean => {
        settled.abort();
        signal.removeEventListener("abort", abort);
        return this.#waiting.delete(messageId);
      };
      const abort = (): void => {
        if (settle()) reject(signal.reason);
      };
      this.#waiting.set(messageId, (response) => {
        if (settle()) resolve(response);
      });
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
      this.#poll(messageId, peer, settled.signal).catch((error: unknown) => {
        if (settle()) reject(error);
      });
    });
  }

  /** Finds the response while no inbox loop does: none was started, or its handler is the one that asks. */
  async #poll(messageId: string, peer: string, settled: AbortSignal): Promise<void> {
    const { client, timers, random } = this.#session;
    for (let round = 1; !settled.aborted; round += 1) {
      await sleep(timers, this.#session.receiving ? IDLE_POLL_MS : backoffMs(round, POLL, random), settled);
      if (settled.aborted) return;
      const look = () => client.getReceipt({ messageId }, { signal: settled });
      const receipt = await this.#session.persist(look, settled);
      const response = receipt.responseMessageId && (await this.#find(peer, receipt.responseMessageId, settled));
      if (response) {
        const hand = this.#waiting.get(messageId);
        if (!hand) return;
        hand(response);
        this.#session.inBackground(this.#acknowledge(response));
        return;
      }
      const { state, deliveredAt } = receipt;
      if (state === "dead_lettered" || (state === "expired" && deliveredAt === undefined)) {
        throw new IntercomError("CONFLICT", `The request to ${peer} was not dealt with`, { reason: state, messageId });
      }
    }
  }

  async #acknowledge(response: Message): Promise<void> {
    const acknowledged = await this.#session.acknowledge([response]);
    if (acknowledged === 0) await clearInbox(this.#session, ({ id }) => this.#session.handled.has(id));
  }

  async #find(peer: string, id: string, signal: AbortSignal): Promise<Message | undefined> {
    const { client } = this.#session;
    let before: string | undefined;
    for (let page = 0; page < PAGES; page += 1) {
      const input = { peer, limit: PAGE, before };
      const { messages, nextCursor } = await this.#session.persist(
        () => client.listMyMessages(input, { signal }),
        signal,
      );
      const found = messages.find((message) => message.id === id);
      if (found || nextCursor === undefined) return found;
      before = nextCursor;
    }
    return undefined;
  }
}
