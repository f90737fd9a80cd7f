import { DaemonSession } from "./daemon-session.ts";
import { type Frame, failureOf } from "./frames.ts";
import type { Identity } from "./identity.ts";
import { type Destination, type Outcome, send } from "./wire.ts";

/** How long calls may still be answered after the client has ended its input, ms. */
const LAST_ANSWERS_MS = 3000;
const LOST =
  "The intercom daemon went away while this call was running, so it may or may not have been done. Look at the inbox and the tasks before you repeat it.";

/** Hands each message of a client to the daemon and what comes back to the client. Knows nothing of what they say. */
export class Front {
  readonly #identity: () => Promise<Identity>;
  readonly #write: (message: string) => void;
  readonly #session: DaemonSession;
  readonly #running = new Map<string | number, AbortController>();
  readonly #taken = new Set<Promise<void>>();

  /** @param identity may fail; the client then hears why */
  constructor(identity: () => Promise<Identity>, write: (message: string) => void) {
    this.#identity = identity;
    this.#write = write;
    this.#session = new DaemonSession(async () => destinationOf(await identity()), write);
  }

  /** Deals with one message while others may come. */
  take(frame: Frame | undefined): void {
    const done = this.#take(frame).finally(() => this.#taken.delete(done));
    this.#taken.add(done);
  }

  async #take(frame: Frame | undefined): Promise<void> {
    if (frame === undefined) {
      this.#tell({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Expected one JSON object to a line" } });
      return;
    }
    const { id, method } = frame;
    if (method === "notifications/cancelled") {
      // Hanging up says the same, and reaches whoever works on it at once.
      this.#running.get(frame.params?.requestId as string | number)?.abort();
      return;
    }
    if (method === undefined || id === undefined || id === null) {
      // An announcement, or an answer to a question of the daemon's: nobody waits for what becomes of it.
      await this.#deliver(frame, new AbortController().signal).catch(() => {});
      return;
    }
    const abort = new AbortController();
    this.#running.set(id, abort);
    try {
      await this.#deliver(frame, abort.signal);
    } catch (error) {
      if (!abort.signal.aborted) this.#tell(failureOf(frame, error instanceof Error ? error.message : String(error)));
    } finally {
      this.#running.delete(id);
    }
  }

  /** Lets what is running finish, for a moment: its answers may still have a reader. */
  async stop(): Promise<void> {
    this.#session.end();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_ANSWERS_MS);
    await Promise.race([Promise.all(this.#taken), promise]);
    clearTimeout(timer);
    for (const abort of this.#running.values()) abort.abort();
  }

  #tell(answer: object): void {
    this.#write(JSON.stringify(answer));
  }

  async #deliver(frame: Frame, signal: AbortSignal): Promise<void> {
    const identity = await this.#identity();
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#send(identity, frame, signal);
      if (outcome.kind === "done") return;
      if (outcome.kind === "no-session") {
        if (attempt === 1 && (await this.#session.renew(signal))) continue;
        throw new Error("The session with the intercom daemon is gone and could not be begun anew. Try again.");
      }
      const renewed = attempt === 1 && (await identity.renew());
      // A call that never began may be made once more, and so may one that changes nothing by being made twice.
      if (renewed && (outcome.untouched || (await this.#isRepeatable(identity, frame, signal)))) continue;
      throw new Error(outcome.untouched ? outcome.problem : LOST);
    }
  }

  async #send(identity: Identity, frame: Frame, signal: AbortSignal): Promise<Outcome> {
    let answer: Frame | undefined;
    const outcome = await send(destinationOf(identity), {
      headers: this.#session.headersFor(frame),
      frame,
      signal,
      onMessage: (text, message) => {
        if (message.method === undefined && message.id === frame.id) answer = message;
        if (!signal.aborted) this.#write(text);
      },
    });
    if (outcome.kind !== "done") return outcome;
    const isCall = frame.method !== undefined && frame.id !== undefined && frame.id !== null;
    // A stream that ended before the answer came ended with the daemon.
    if (isCall && !answer) return { kind: "failed", problem: LOST, untouched: false };
    if (frame.method === "initialize") this.#session.began(frame, answer, outcome.sessionId);
    else this.#session.sent(frame);
    return outcome;
  }

  /** Whether making the call twice is the same as making it once: of tools the daemon's own list says so. */
  async #isRepeatable(identity: Identity, frame: Frame, signal: AbortSignal): Promise<boolean> {
    if (frame.method !== "tools/call") return true;
    let listed: readonly ListedTool[] = [];
    await send(destinationOf(identity), {
      headers: {},
      frame: { jsonrpc: "2.0", id: 0, method: "tools/list" },
      signal,
      onMessage: (_text, message) => {
        listed = (message as { result?: { tools: readonly ListedTool[] } }).result?.tools ?? [];
      },
    });
    const tool = listed.find(({ name }) => name === frame.params?.name);
    return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true;
  }
}

interface ListedTool {
  readonly name: string;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean };
}

function destinationOf({ address, token, query }: Identity): Destination {
  return { address, token, query };
}
