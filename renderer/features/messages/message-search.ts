import { createStore } from "zustand/vanilla";
import type { ErrorValue } from "../../../protocol/errors.ts";
import type { Message } from "../../../protocol/objects/message.ts";
import { errorValue } from "../../data/cache.ts";
import type { Host } from "../../host.ts";

export interface SearchState {
  /** Newest first. */
  readonly messages: readonly Message[];
  /** Where it has not looked yet; undefined when it has looked at all. */
  readonly cursor: string | undefined;
  readonly isSearching: boolean;
  readonly error: ErrorValue | undefined;
}

const PAGE = 50;
/** One press looks at this many pages as long as nothing is found: each looks at a few hundred messages. */
const MOST_EMPTY_PAGES = 4;

/** A search of one scope's messages. The daemon looks at a bounded number at a time, so that it goes on when asked to. */
export class MessageSearch {
  readonly store = createStore<SearchState>(() => ({
    messages: [],
    cursor: undefined,
    isSearching: false,
    error: undefined,
  }));
  readonly #host: Pick<Host, "call">;
  readonly #scopeId: string;
  readonly #text: string;

  constructor(host: Pick<Host, "call">, scopeId: string, text: string) {
    this.#host = host;
    this.#scopeId = scopeId;
    this.#text = text;
  }

  /** Looks further back. */
  async next(): Promise<void> {
    if (this.store.getState().isSearching || this.#text === "") return;
    this.store.setState({ isSearching: true, error: undefined });
    try {
      for (let empty = 0; empty < MOST_EMPTY_PAGES; empty += 1) {
        const { cursor } = this.store.getState();
        const input = { text: this.#text, limit: PAGE, ...(cursor ? { before: cursor } : {}) };
        const page = await this.#host.call("listMessages", input, this.#scopeId);
        this.store.setState(({ messages }) => ({
          messages: [...messages, ...page.messages],
          cursor: page.nextCursor,
        }));
        if (page.messages.length > 0 || !page.nextCursor) return;
      }
    } catch (error) {
      this.store.setState({ error: errorValue(error) });
    } finally {
      this.store.setState({ isSearching: false });
    }
  }
}
