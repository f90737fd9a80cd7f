import { isIntercomError } from "../../../protocol/errors.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import type { Message } from "../../../protocol/objects/message.ts";
import { Cache, CacheSet, errorValue, type Loading } from "../../data/cache.ts";
import { Refresher, type Schedule } from "../../data/refresher.ts";
import type { Source } from "../../data/source.ts";
import type { Happened } from "../../state/frames.ts";
import { conversationQuery, isBetween, type Pair } from "./parties.ts";

export interface ThreadState extends Loading {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** Where older ones begin; undefined when all are here. */
  readonly cursor: string | undefined;
  readonly loadingOlder: boolean;
}

/** What names a thread. */
export interface ThreadKey extends Pair {
  readonly scopeId: string;
}

const PAGE = 50;
const LARGEST_PAGE = 100;

/** The messages of one conversation, from the newest back to where somebody has scrolled. */
export class ThreadCache extends Cache<ThreadState> {
  readonly #source: Source;
  readonly #key: ThreadKey;
  readonly #refresher: Refresher;
  readonly #parties: ReadonlySet<string>;

  constructor(source: Source, key: ThreadKey, schedule?: Schedule) {
    super({ status: "loading", messages: [], cursor: undefined, loadingOlder: false });
    this.#source = source;
    this.#key = key;
    this.#parties = new Set([key.left.id, key.right.id]);
    this.#refresher = new Refresher({
      one: (id) => this.#readOne(id),
      all: (touched) => this.#readAgain(touched),
      failed: (error) => this.failed(error),
      ...(schedule ? { schedule } : {}),
    });
  }

  /** Reads the page before the oldest message. */
  async loadOlder(): Promise<void> {
    const { cursor, loadingOlder, status } = this.store.getState();
    if (!cursor || loadingOlder || status === "loading") return;
    this.store.setState({ loadingOlder: true });
    try {
      const page = await this.#page(PAGE, cursor);
      this.store.setState(({ messages }) => ({
        messages: [...page.messages.filter(({ id }) => !messages.some((known) => known.id === id)), ...messages],
        cursor: page.nextCursor,
        error: undefined,
      }));
    } catch (error) {
      // What is shown stays true; the rest can be tried again.
      this.store.setState({ error: errorValue(error) });
    } finally {
      this.store.setState({ loadingOlder: false });
    }
  }

  /** Takes a message as an operation answered it. */
  put(message: Message): void {
    this.store.setState(({ messages }) => ({
      messages: messages.map((known) => (known.id === message.id ? message : known)),
    }));
  }

  /** Reads the newest messages now, e.g. after one was sent. */
  refresh(): Promise<void> {
    return this.#readAgain(new Set()).catch((error: unknown) => this.failed(error));
  }

  protected async read(): Promise<void> {
    this.#refresher.clear();
    const page = await this.#page(PAGE);
    this.#merge(page.messages, page.nextCursor);
  }

  /** Reads back from the newest until everything touched that is shown has been read. */
  async #readAgain(touched: ReadonlySet<string>): Promise<void> {
    const wanted = new Set(this.store.getState().messages.flatMap(({ id }) => (touched.has(id) ? [id] : [])));
    const fresh: Message[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#page(LARGEST_PAGE, cursor);
      fresh.unshift(...page.messages);
      for (const { id } of page.messages) wanted.delete(id);
      cursor = page.nextCursor;
    } while (cursor && wanted.size > 0);
    this.#merge(fresh, cursor);
  }

  /** Puts the newest messages in place of what was known of them. Without an overlap the older ones are forgotten: there is a gap. */
  #merge(fresh: readonly Message[], cursor: string | undefined): void {
    const { messages, cursor: oldCursor } = this.store.getState();
    const isFresh = new Set(fresh.map(({ id }) => id));
    const firstKnown = messages.findIndex(({ id }) => isFresh.has(id));
    const older = firstKnown > 0 ? messages.slice(0, firstKnown) : [];
    this.store.setState({
      status: "ready",
      error: undefined,
      messages: older.length > 0 ? [...older, ...fresh] : fresh,
      cursor: older.length > 0 ? oldCursor : cursor,
    });
  }

  async #page(limit: number, before?: string): Promise<{ messages: Message[]; nextCursor?: string | undefined }> {
    const input = { ...conversationQuery(this.#key), limit, ...(before ? { before } : {}) };
    const { messages, nextCursor } = await this.#source.host.call("listMessages", input, this.#key.scopeId);
    return { messages: messages.filter((message) => isBetween(this.#key, message)).reverse(), nextCursor };
  }

  async #readOne(id: string): Promise<void> {
    try {
      this.put(await this.#source.host.call("getMessage", { messageId: id }, this.#key.scopeId));
    } catch (error) {
      if (!isIntercomError(error, "NOT_FOUND")) throw error;
      this.store.setState(({ messages }) => ({ messages: messages.filter((known) => known.id !== id) }));
    }
  }

  protected concerns(events: readonly Event[]): boolean {
    return events.some((event) => this.#isAboutUs(event));
  }

  protected changed({ events, all }: Happened): void {
    const touching = events.filter((event) => this.#isAboutUs(event));
    if (all || touching.some(({ type }) => type === "message.accepted" || type === PRUNED)) {
      this.#refresher.touchEverything();
    }
    const shown = new Set(this.store.getState().messages.map(({ id }) => id));
    this.#refresher.touch(touching.map(({ subjectId }) => subjectId).filter((id) => shown.has(id)));
  }

  #isAboutUs({ scopeId, type, attributes }: Event): boolean {
    if (scopeId !== this.#key.scopeId) return false;
    if (type === PRUNED) return true;
    if (!type.startsWith("message.")) return false;
    return this.#parties.has(attributes.from ?? "") && this.#parties.has(attributes.to ?? "");
  }
}

/** Takes old messages away without an event for each. */
const PRUNED = "scope.pruned";

/** Threads that are remembered, with all that was scrolled through. */
const MOST_THREADS = 8;

export type ThreadCaches = CacheSet<ThreadKey, ThreadCache>;

export function threadCaches(source: Source): ThreadCaches {
  return new CacheSet(source, MOST_THREADS, (key: ThreadKey) => new ThreadCache(source, key));
}
