import type { Decision } from "./decide.ts";
import type { ModelRequest } from "./request.ts";

/** An answer in the words of one interface. */
export interface Wording {
  /** The whole of it. */
  readonly body: unknown;
  /** The same in pieces, as server-sent events; `event` only where the interface names them. */
  readonly events: readonly { readonly event?: string; readonly data: unknown }[];
}

/** Puts a decision into words. `id` is unique among the answers of a server. */
export type Speak = (decision: Decision, request: ModelRequest, id: string) => Wording;
