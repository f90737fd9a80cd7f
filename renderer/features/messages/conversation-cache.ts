import type { Event } from "../../../protocol/objects/event.ts";
import type { Conversation } from "../../../protocol/objects/message.ts";
import { Cache, CacheSet, errorValue, type Loading } from "../../data/cache.ts";
import { Refresher, type Schedule } from "../../data/refresher.ts";
import type { Source } from "../../data/source.ts";
import type { Happened } from "../../state/frames.ts";
import { pairKey, pairOf } from "./parties.ts";

export interface ConversationState extends Loading {
  /** The one with the newest message first. */
  readonly conversations: readonly Conversation[];
  readonly cursor: string | undefined;
  readonly loadingMore: boolean;
}

const PAGE = 100;
/** Counts and last lines may lag a little: with each message of a busy scope the whole list would be read. */
const DELAY_MS = 1000;

export function conversationKey({ left, right }: Conversation): string {
  return pairKey(pairOf(left, right));
}

/** Who has written to whom in one scope. */
export class ConversationCache extends Cache<ConversationState> {
  readonly #source: Source;
  readonly #scopeId: string;
  readonly #refresher: Refresher;

  constructor(source: Source, scopeId: string, schedule?: Schedule) {
    super({ status: "loading", conversations: [], cursor: undefined, loadingMore: false });
    this.#source = source;
    this.#scopeId = scopeId;
    this.#refresher = new Refresher({
      all: () => this.read(),
      failed: (error) => this.failed(error),
      delayMs: DELAY_MS,
      ...(schedule ? { schedule } : {}),
    });
  }

  async loadMore(): Promise<void> {
    const { cursor, loadingMore } = this.store.getState();
    if (!cursor || loadingMore) return;
    this.store.setState({ loadingMore: true });
    try {
      const page = await this.#page(cursor);
      this.store.setState(({ conversations }) => ({
        conversations: withoutRepeats([...conversations, ...page.conversations]),
        cursor: page.nextCursor,
        error: undefined,
      }));
    } catch (error) {
      this.store.setState({ error: errorValue(error) });
    } finally {
      this.store.setState({ loadingMore: false });
    }
  }

  /** Reads as many as are shown. */
  protected async read(): Promise<void> {
    this.#refresher.clear();
    const shown = this.store.getState().conversations.length;
    const conversations: Conversation[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#page(cursor);
      conversations.push(...page.conversations);
      cursor = page.nextCursor;
    } while (cursor && conversations.length < shown);
    this.store.setState({
      status: "ready",
      error: undefined,
      conversations: withoutRepeats(conversations),
      cursor,
    });
  }

  #page(before?: string) {
    return this.#source.host.call("listConversations", { limit: PAGE, ...(before ? { before } : {}) }, this.#scopeId);
  }

  protected concerns(events: readonly Event[]): boolean {
    return events.some(
      ({ scopeId, type }) => scopeId === this.#scopeId && (type.startsWith("message.") || type === "scope.pruned"),
    );
  }

  protected changed({ events, all }: Happened): void {
    if (all || this.concerns(events)) this.#refresher.touchEverything();
  }
}

/** Between two pages a conversation may move to the front; it is shown once, where it came first. */
function withoutRepeats(conversations: readonly Conversation[]): readonly Conversation[] {
  return [...new Map(conversations.toReversed().map((one) => [conversationKey(one), one])).values()].reverse();
}

/** Scopes whose list is remembered. */
const MOST_SCOPES = 4;

export type ConversationCaches = CacheSet<string, ConversationCache>;

export function conversationCaches(source: Source): ConversationCaches {
  return new CacheSet(source, MOST_SCOPES, (scopeId: string) => new ConversationCache(source, scopeId));
}
