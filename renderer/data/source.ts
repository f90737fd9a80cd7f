import type { Event } from "../../protocol/objects/event.ts";
import type { Host } from "../host.ts";

/** What happened, for those who hold more than the live state. */
export interface News {
  readonly events: readonly Event[];
  /** Events may be missing: read everything again. */
  readonly all: boolean;
}

/** What a cache needs of the page: calls, and news of what happened. */
export interface Source {
  readonly host: Pick<Host, "call">;
  /** Calls `listener` with news. Returns what ends that. */
  listen(listener: (news: News) => void): () => void;
}
