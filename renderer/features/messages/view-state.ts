import { createStore } from "zustand/vanilla";
import type { App } from "../../state/app.ts";
import { HUMAN, type Pair, pairOf } from "./parties.ts";

/** Which conversations the list shows. */
export const FILTERS = ["all", "mine", "undelivered"] as const;
export type ConversationFilter = (typeof FILTERS)[number];

interface MessagesViewState {
  /** The conversation that is open, by scope. It has no id of its own that an address could hold. */
  readonly open: Readonly<Record<string, Pair>>;
  /** Message to be shown in it, until it has been. */
  readonly target: string | undefined;
  readonly filter: ConversationFilter;
  readonly search: string;
}

/** What the view looks at; it stays so while other views are looked at. */
export const messagesView = createStore<MessagesViewState>(() => ({
  open: {},
  target: undefined,
  filter: "all",
  search: "",
}));

export function openConversation(scopeId: string, pair: Pair | undefined, target?: string): void {
  messagesView.setState(({ open: { [scopeId]: _before, ...others } }) => ({
    open: pair ? { ...others, [scopeId]: pair } : others,
    target,
  }));
}

/** Opens the human's conversation with an agent, ready to write. */
export function writeTo(app: App, scopeId: string, agentId: string): void {
  openConversation(scopeId, pairOf(HUMAN, { kind: "agent", id: agentId }));
  app.navigate({ view: "messages", scopeId });
}
