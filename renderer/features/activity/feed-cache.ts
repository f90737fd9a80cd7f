import type { EventKind } from "../../../protocol/events/index.ts";
import type { Event } from "../../../protocol/objects/event.ts";
import { Cache, CacheSet, errorValue, type Loading } from "../../data/cache.ts";
import { Refresher, type Schedule } from "../../data/refresher.ts";
import type { Source } from "../../data/source.ts";
import type { Happened } from "../../state/frames.ts";
import { matchesFeed } from "./feed-filter.ts";

/** Which events of a scope a feed holds. */
export interface FeedKey {
  readonly scopeId: string;
  readonly kind?: EventKind;
  readonly agentId?: string;
  readonly subjectId?: string;
}

export interface FeedState extends Loading {
  /** Newest first. */
  readonly events: readonly Event[];
  /** Newer ones that are held back while somebody reads, newest first. */
  readonly waiting: readonly Event[];
  readonly cursor: string | undefined;
  readonly loadingOlder: boolean;
}

const PAGE = 100;
/** A feed that is only watched forgets its end above this, so that a window may stay open for weeks. */
const MOST_WATCHED = 2000;

/** The newest events of a kind, fed by the live ones without asking. */
export class FeedCache extends Cache<FeedState> {
  readonly #source: Source;
  readonly #key: FeedKey;
  readonly #refresher: Refresher;
  #following = true;

  constructor(source: Source, key: FeedKey, schedule?: Schedule) {
    super({ status: "loading", events: [], waiting: [], cursor: undefined, loadingOlder: false });
    this.#source = source;
    this.#key = key;
    this.#refresher = new Refresher({
      all: () => this.read(),
      failed: (error) => this.failed(error),
      ...(schedule ? { schedule } : {}),
    });
  }

  /** While not following, what is new waits: a list that moves cannot be read. */
  follow(following: boolean): void {
    if (this.#following === following) return;
    this.#following = following;
    if (following) this.store.setState(({ events, waiting }) => ({ events: [...waiting, ...events], waiting: [] }));
  }

  async loadOlder(): Promise<void> {
    const { cursor, loadingOlder } = this.store.getState();
    if (!cursor || loadingOlder) return;
    this.store.setState({ loadingOlder: true });
    try {
      const page = await this.#page(cursor);
      this.store.setState(({ events }) => ({
        events: joined(events, page.events),
        cursor: page.nextCursor,
        error: undefined,
      }));
    } catch (error) {
      this.store.setState({ error: errorValue(error) });
    } finally {
      this.store.setState({ loadingOlder: false });
    }
  }

  protected async read(): Promise<void> {
    this.#refresher.clear();
    const { events: fresh, nextCursor } = await this.#page();
    this.store.setState(({ events, waiting, cursor }) => {
      const known = [...waiting, ...events];
      const overlaps = fresh.some(({ id }) => known.some((one) => one.id === id));
      return {
        status: "ready",
        error: undefined,
        events: overlaps ? joined(fresh, known) : fresh,
        waiting: [],
        cursor: overlaps ? cursor : nextCursor,
      };
    });
  }

  async #page(before?: string) {
    const { scopeId, ...filter } = this.#key;
    const input = { ...filter, limit: PAGE, ...(before ? { before } : {}) };
    const { events, ...rest } = await this.#source.host.call("listEventsPage", input, scopeId);
    return { ...rest, events: events.filter((event) => matchesFeed(this.#key, event)) };
  }

  protected concerns(events: readonly Event[]): boolean {
    return events.some((event) => matchesFeed(this.#key, event));
  }

  protected changed({ events, all }: Happened): void {
    if (all) {
      this.#refresher.touchEverything();
      return;
    }
    const fresh = events.filter((event) => matchesFeed(this.#key, event)).reverse();
    if (fresh.length === 0) return;
    const { events: shown, waiting } = this.store.getState();
    if (!this.#following) this.store.setState({ waiting: joined(fresh, waiting) });
    else if (shown.length + fresh.length <= MOST_WATCHED) this.store.setState({ events: joined(fresh, shown) });
    else {
      // The daemon's cursor goes with a page, so that the end is dropped by reading the beginning anew.
      this.store.setState({ events: [] });
      this.#refresher.touchEverything();
    }
  }
}

/** Newer events before older ones; none twice. */
function joined(newer: readonly Event[], older: readonly Event[]): readonly Event[] {
  const ids = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !ids.has(id))];
}

/** Feeds that are remembered. */
const MOST_FEEDS = 6;

export type FeedCaches = CacheSet<FeedKey, FeedCache>;

export function feedCaches(source: Source): FeedCaches {
  return new CacheSet(source, MOST_FEEDS, (key: FeedKey) => new FeedCache(source, key));
}
