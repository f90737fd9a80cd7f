import { LOCALES, THEMES } from "../../protocol/desktop/names.ts";

/** What a browser tab remembers of its own; the desktop keeps these in its settings. */
export interface Preferences {
  readonly theme: (typeof THEMES)[number];
  readonly locale: "system" | (typeof LOCALES)[number];
}

const KEY = "intercom.preferences";

function oneOfThem<T extends string>(values: readonly T[], value: unknown, otherwise: T): T {
  return values.find((one) => one === value) ?? otherwise;
}

/** What was remembered, or the defaults: storage may be switched off, or hold what another version wrote. */
export function readPreferences(storage: Pick<Storage, "getItem">): Preferences {
  let kept: Record<string, unknown> = {};
  try {
    kept = JSON.parse(storage.getItem(KEY) ?? "{}") as Record<string, unknown>;
  } catch {
    // Unreadable is the same as nothing.
  }
  return {
    theme: oneOfThem(THEMES, kept?.theme, "system"),
    locale: oneOfThem(["system", ...LOCALES], kept?.locale, "system"),
  };
}

export function writePreferences(storage: Pick<Storage, "setItem">, preferences: Preferences): void {
  try {
    storage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Remembering is a comfort; without it the tab asks the browser each time.
  }
}
