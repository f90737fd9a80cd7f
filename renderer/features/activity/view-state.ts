import { createStore } from "zustand/vanilla";
import type { EventKind } from "../../../protocol/events/index.ts";
import type { App } from "../../state/app.ts";

/** What the view is narrowed to; it stays so while other views are looked at. */
export interface FeedFilter {
  readonly kind: EventKind | undefined;
  readonly agentId: string | undefined;
  readonly subjectId: string | undefined;
}

export const NO_FILTER: FeedFilter = { kind: undefined, agentId: undefined, subjectId: undefined };

export const feedFilter = createStore<FeedFilter>(() => NO_FILTER);

/** Opens the view with what concerns one thing alone. */
export function showFeedOf(app: App, { scopeId, ...filter }: Partial<FeedFilter> & { readonly scopeId: string }): void {
  feedFilter.setState({ ...NO_FILTER, ...filter });
  app.navigate({ view: "activity", scopeId });
}
