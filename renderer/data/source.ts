import type { Host } from "../host.ts";
import type { Happened } from "../state/frames.ts";

/** What a cache needs of the page: calls, and news of what happened. */
export interface Source {
  readonly host: Pick<Host, "call">;
  /** Calls `listener` with news. Returns what ends that. */
  listen(listener: (happened: Happened) => void): () => void;
}
