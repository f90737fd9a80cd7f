import { createStore, type StoreApi } from "zustand/vanilla";
import type { DesktopState, Destination, LiveState } from "../../protocol/desktop/index.ts";
import { emptyLiveState } from "../../protocol/desktop/live.ts";
import type { ErrorValue } from "../../protocol/errors.ts";
import type { Escalation } from "../../protocol/objects/escalation.ts";
import type { Preferences } from "./preferences.ts";

/** Everything more than one component knows. Views read it through selectors, see `useApp`. */
export interface AppState {
  /** `starting` until the host has answered; `failed` when it could not. */
  readonly phase: "starting" | "running" | "failed";
  readonly startError: ErrorValue | undefined;
  readonly live: LiveState;
  /** Undefined in a browser tab. */
  readonly desktop: DesktopState | undefined;
  readonly route: Destination;
  /** The one scope that is shown; undefined shows all. */
  readonly scopeId: string | undefined;
  /** What was typed and not sent, by what it is for. */
  readonly drafts: Readonly<Record<string, string>>;
  /** Questions that stopped being pending while the page was open, so that a view can say what became of them. */
  readonly closed: Readonly<Record<string, Escalation>>;
  /** Theme and language of a browser tab; the desktop has its own settings. */
  readonly preferences: Preferences;
  /** What lies over the view at the moment. */
  readonly overlay: "palette" | "shortcuts" | undefined;
}

export type AppStore = StoreApi<AppState>;

export function createAppStore(beginning: Partial<AppState>, nowIso: string): AppStore {
  return createStore<AppState>(() => ({
    phase: "starting",
    startError: undefined,
    live: emptyLiveState(nowIso),
    desktop: undefined,
    route: { view: "inbox" },
    scopeId: undefined,
    drafts: {},
    closed: {},
    preferences: { theme: "system", locale: "system" },
    overlay: undefined,
    ...beginning,
  }));
}
