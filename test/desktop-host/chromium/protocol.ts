// The Chrome DevTools Protocol over Chromium's debugging pipe: JSON messages, each ended by a zero byte.
import { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import type { CDPSession } from "@playwright/test";

// Playwright knows the types of the protocol but exports them only through its own session.
declare const typed: CDPSession;
type Command = Parameters<CDPSession["send"]>[0];
type Input<Name extends Command> = Parameters<typeof typed.send<Name>>[1];
type Answer<Name extends Command> = Awaited<ReturnType<typeof typed.send<Name>>>;
/** The events this host listens to. */
type EventName =
  | "Fetch.requestPaused"
  | "Inspector.targetCrashed"
  | "Page.domContentEventFired"
  | "Page.frameNavigated"
  | "Page.loadEventFired"
  | "Page.navigatedWithinDocument"
  | "Page.windowOpen"
  | "Runtime.bindingCalled"
  | "Runtime.consoleAPICalled"
  | "Runtime.exceptionThrown"
  | "Runtime.executionContextCreated"
  | "Runtime.executionContextDestroyed"
  | "Runtime.executionContextsCleared"
  | "Target.targetCreated"
  | "Target.targetDestroyed";

/** What one event carries. */
export type EventOf<Name extends EventName> = Parameters<Parameters<typeof typed.on<Name>>[1]>[0];

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One end of the pipe. Sessions of single targets share it. */
export class Connection {
  readonly browser: Session = new Session(this, "");
  readonly #sessions = new Map<string, Session>([["", this.browser]]);
  readonly #waiting = new Map<number, Waiting>();
  readonly #output: Writable;
  #sent = 0;
  #isClosed = false;

  constructor(output: Writable, input: Readable) {
    this.#output = output;
    let rest = "";
    input.setEncoding("utf8");
    input.on("data", (chunk: string) => {
      const messages = (rest + chunk).split("\0");
      rest = messages.pop() ?? "";
      for (const message of messages) this.#receive(JSON.parse(message) as Message);
    });
    input.on("close", () => this.#close());
    // Chromium may go away while a message is on its way; the end of `input` says so, too.
    input.on("error", () => this.#close());
    output.on("error", () => this.#close());
  }

  /** Begins a conversation with one target. @throws when it is gone */
  async attach(targetId: string): Promise<Session> {
    const { sessionId } = await this.browser.send("Target.attachToTarget", { targetId, flatten: true });
    const session = new Session(this, sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  send(sessionId: string, method: string, params: object): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error(`Chromium is gone (${method})`));
    const id = ++this.#sent;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject: (error) => reject(new Error(`${method}: ${error.message}`)) });
      this.#output.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    });
  }

  #receive(message: Message): void {
    if (message.id === undefined) {
      this.#sessions.get(message.sessionId ?? "")?.dispatch(message.method ?? "", message.params);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new Error(message.error.message));
    else waiting?.resolve(message.result);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const { reject } of this.#waiting.values()) reject(new Error("Chromium is gone"));
    this.#waiting.clear();
  }
}

/** The conversation with one target; the browser itself is one. */
export class Session {
  readonly #connection: Connection;
  readonly #id: string;
  readonly #events = new EventEmitter().setMaxListeners(0);

  constructor(connection: Connection, id: string) {
    this.#connection = connection;
    this.#id = id;
  }

  /** @throws what Chromium answered, or that it is gone */
  send<Name extends Command>(method: Name, params?: Input<Name>): Promise<Answer<Name>> {
    return this.#connection.send(this.#id, method, params ?? {}) as Promise<Answer<Name>>;
  }

  on<Name extends EventName>(name: Name, listener: (event: EventOf<Name>) => void): void {
    this.#events.on(name, listener);
  }

  dispatch(method: string, params: unknown): void {
    this.#events.emit(method, params);
  }
}
