import type { Press } from "../../keyboard/chords.ts";

/** Keys by the names Electron has for them. */
const NAMES: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowUp: "Up",
  ArrowDown: "Down",
  ArrowLeft: "Left",
  ArrowRight: "Right",
  Enter: "Return",
};

/**
 * A press as an accelerator of Electron, e.g. `CommandOrControl+Shift+I`. Undefined while only modifiers are down, and without
 * Control, Alt or Command: a shortcut that works everywhere must not take a letter from whoever types.
 */
export function acceleratorOf(press: Press & { readonly code: string }): string | undefined {
  if (!(press.ctrlKey || press.metaKey || press.altKey)) return undefined;
  const key = keyName(press);
  if (key === undefined) return undefined;
  return [
    ...(press.ctrlKey || press.metaKey ? ["CommandOrControl"] : []),
    ...(press.altKey ? ["Alt"] : []),
    ...(press.shiftKey ? ["Shift"] : []),
    key,
  ].join("+");
}

/** By where the key is, as Alt makes other characters of letters on some systems. */
function keyName({ key, code }: { readonly key: string; readonly code: string }): string | undefined {
  const letter = /^(?:Key|Digit)([A-Z0-9])$/.exec(code)?.[1];
  if (letter) return letter;
  if (/^F([1-9]|1[0-9]|2[0-4])$/.test(key)) return key;
  return NAMES[key];
}
