import type { LiveChange } from "../../protocol/desktop/index.ts";
import type { Host } from "../host.ts";

/** What a cache needs of the window: calls, and news of what happened. */
export interface Source {
  readonly call: Host["call"];
  /** Calls `listener` with the changes of each frame. Returns what ends that. */
  listen(listener: (changes: readonly LiveChange[]) => void): () => void;
}
