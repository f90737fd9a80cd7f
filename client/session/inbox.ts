import { IntercomError } from "../../protocol/index.ts";
import type { SessionContext } from "./context.ts";
import type { MessageHandler } from "./delivery.ts";
import { type InboxOptions, inboxSettings, readInbox, type Taker } from "./inbox-loop.ts";

/** A running reader of the inbox. */
export interface InboxReader extends AsyncDisposable {
  /**
   * Stops after the handlers that are running; what was taken and not begun comes again to the next reader.
   * A handler must not wait for it: it would wait for itself.
   */
  stop(): Promise<void>;
}

/** The inbox of a session, for one reader at a time. */
export class Inbox {
  readonly #session: SessionContext;
  readonly #takers: readonly Taker[];
  #reader: { readonly stop: AbortController; readonly finished: Promise<number> } | undefined;
  #closed = false;

  constructor(session: SessionContext, takers: readonly Taker[]) {
    this.#session = session;
    this.#takers = takers;
  }

  follow(handler: MessageHandler, options: InboxOptions): InboxReader {
    const { stop, finished } = this.#read(handler, options, false);
    // It ends by itself only together with the session, which says why.
    const quiet = finished.then(
      () => {},
      () => {},
    );
    const stopped = (): Promise<void> => {
      stop.abort();
      return quiet;
    };
    return { stop: stopped, [Symbol.asyncDispose]: stopped };
  }

  async drain(handler: MessageHandler, options: InboxOptions): Promise<number> {
    return this.#read(handler, options, true).finished;
  }

  /** Stops the reader for good and waits for its handlers. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#reader?.stop.abort();
    await this.#reader?.finished.catch(() => {});
  }

  #read(handler: MessageHandler, options: InboxOptions, untilEmpty: boolean) {
    if (this.#reader) throw new IntercomError("CONFLICT", "The inbox of this session has a reader already");
    const settings = inboxSettings(options, untilEmpty);
    const stop = new AbortController();
    if (this.#closed) stop.abort();
    const finished = readInbox(this.#session, this.#takers, handler, settings, stop.signal, untilEmpty).finally(() => {
      this.#reader = undefined;
      this.#session.reading = false;
    });
    this.#session.reading = true;
    this.#reader = { stop, finished };
    return this.#reader;
  }
}
