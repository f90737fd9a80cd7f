import { type Locale, localeFor } from "../../i18n/index.ts";
import type { Destination } from "../../protocol/desktop/index.ts";
import type { Host } from "../host.ts";
import { Pacer } from "../lib/pacer.ts";
import { type AppState, type AppStore, createAppStore } from "./app-store.ts";
import { readDrafts, withDraft, writeDrafts } from "./drafts.ts";
import { asIntercomError } from "./failure.ts";
import { applyFrames, type Happened } from "./frames.ts";
import { type Preferences, readPreferences, writePreferences } from "./preferences.ts";
import { parseRoute, routeHash } from "./route.ts";

/** At most ten pictures a second, however much happens. */
const FRAME_INTERVAL_MS = 100;
/** Typing must not wait for storage. */
const DRAFT_INTERVAL_MS = 300;

/** The page's state, what fills it, and what it may be told. One for each page. */
export interface App {
  readonly host: Host;
  readonly store: AppStore;
  /** Calls `listener` with what happened, after the state has it. Returns what ends that. */
  listen(listener: (happened: Happened) => void): () => void;
  navigate(destination: Destination): void;
  setScope(scopeId: string | undefined): void;
  setDraft(key: string, text: string): void;
  setPreferences(preferences: Preferences): void;
  setOverlay(overlay: AppState["overlay"]): void;
  /** Begins, or begins again after a failure. */
  start(): Promise<void>;
}

export function createApp(host: Host, page: Window): App {
  const store = createAppStore(
    {
      route: parseRoute(page.location.hash),
      drafts: readDrafts(page.sessionStorage),
      preferences: readPreferences(page.localStorage),
    },
    new Date().toISOString(),
  );
  const listeners = new Set<(happened: Happened) => void>();
  const frames = new Pacer<Parameters<typeof applyFrames>[1][number]>((batch) => {
    const { next, happened } = applyFrames(store.getState(), batch);
    store.setState(next);
    if (happened.all || happened.events.length > 0) for (const listener of listeners) listener(happened);
  }, FRAME_INTERVAL_MS);
  const drafts = new Pacer<AppState["drafts"]>((batch) => {
    writeDrafts(page.sessionStorage, batch.at(-1) ?? {});
  }, DRAFT_INTERVAL_MS);

  function navigate(destination: Destination): void {
    page.location.hash = routeHash(destination);
    store.setState({ route: destination, overlay: undefined });
  }

  async function start(): Promise<void> {
    store.setState({ phase: "starting", startError: undefined });
    try {
      const { live, desktop, destination } = await host.attach({
        frame: (frame) => frames.push(frame),
        destination: navigate,
      });
      store.setState({ phase: "running", live, desktop });
      if (destination) navigate(destination);
    } catch (error) {
      store.setState({ phase: "failed", startError: asIntercomError(error).toValue() });
    }
  }

  page.addEventListener("hashchange", () => {
    const route = parseRoute(page.location.hash);
    if (routeHash(route) !== routeHash(store.getState().route)) store.setState({ route });
  });
  // The last words typed before a reload.
  page.addEventListener("pagehide", () => writeDrafts(page.sessionStorage, store.getState().drafts));

  return {
    host,
    store,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    navigate,
    setScope: (scopeId) => store.setState({ scopeId }),
    setDraft(key, text) {
      const next = withDraft(store.getState().drafts, key, text);
      store.setState({ drafts: next });
      drafts.push(next);
    },
    setPreferences(preferences) {
      store.setState({ preferences });
      writePreferences(page.localStorage, preferences);
    },
    setOverlay: (overlay) => store.setState({ overlay }),
    start,
  };
}

/** The language in use: the desktop has looked its setting up already, a tab asks its browser. */
export function localeOf({ desktop, preferences }: Pick<AppState, "desktop" | "preferences">): Locale {
  if (desktop) return desktop.locale;
  return preferences.locale === "system" ? localeFor(navigator.languages) : preferences.locale;
}

/** The theme that was chosen: in the desktop's settings, or in this tab. */
export function themeOf({ desktop, preferences }: Pick<AppState, "desktop" | "preferences">): Preferences["theme"] {
  return desktop ? desktop.settings.theme : preferences.theme;
}
