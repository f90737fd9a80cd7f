import { createContext, type ReactNode, useContext, useMemo } from "react";
import { useStore } from "zustand";
import { useShallow } from "zustand/react/shallow";
import { type Translator, translator } from "../../i18n/index.ts";
import type { Host } from "../host.ts";
import { type App, localeOf } from "./app.ts";
import type { AppState } from "./app-store.ts";

const AppContext = createContext<App | undefined>(undefined);
const TextContext = createContext<Translator | undefined>(undefined);

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("AppProvider is missing above this component");
  return value;
}

export function AppProvider({ app, children }: { readonly app: App; readonly children: ReactNode }) {
  const locale = useStore(app.store, localeOf);
  const text = useMemo(() => translator(locale), [locale]);
  return (
    <AppContext value={app}>
      <TextContext value={text}>{children}</TextContext>
    </AppContext>
  );
}

export function useAppHandle(): App {
  return present(useContext(AppContext));
}

/** The host, for calls. */
export function useHost(): Host {
  return useAppHandle().host;
}

/** A part of the state. The component renders again when that part is another value. */
export function useApp<T>(selector: (state: AppState) => T): T {
  return useStore(useAppHandle().store, selector);
}

/** Like {@link useApp} for a selector that makes a new list or object each time: compared entry by entry. */
export function useAppParts<T>(selector: (state: AppState) => T): T {
  return useStore(useAppHandle().store, useShallow(selector));
}

/** Texts in the language of the page, and that language. */
export function useText(): Translator {
  return present(useContext(TextContext));
}
