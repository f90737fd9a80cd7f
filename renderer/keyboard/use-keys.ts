import { useEffect, useRef } from "react";
import { ChordReader } from "./chords.ts";

/** By chord, such as `j`, `g i`, `mod+k`, `Escape`. A handler that returns false has not used the press. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/** The newest layer is asked first: what a view wants goes before what the shell wants. */
const layers: { current: KeyMap }[] = [];
const reader = new ChordReader();

/** In these a letter is text. */
const TYPING = "input:not([type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable=true]";
/** These have keys of their own. */
const OWN_KEYS = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox][data-popup]";

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const target = event.target instanceof Element ? event.target : null;
  const isCommand = event.ctrlKey || event.metaKey;
  const isEscape = event.key === "Escape";
  if (target?.closest(OWN_KEYS)) return;
  if (!isCommand && !isEscape && target?.closest(TYPING)) return;
  const wanted = reader.read(event, event.timeStamp, (chord) => layers.some(({ current }) => chord in current));
  if (wanted === undefined) return;
  for (const { current } of layers.toReversed()) {
    const action = current[wanted];
    if (action && action(event) !== false) {
      event.preventDefault();
      return;
    }
  }
}

/** Keys that work while the component is there. Letters are never taken from someone who types, nor from an open dialog. */
export function useKeys(keys: KeyMap): void {
  const layer = useRef(keys);
  layer.current = keys;
  useEffect(() => {
    if (layers.length === 0) document.addEventListener("keydown", handle);
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length === 0) document.removeEventListener("keydown", handle);
    };
  }, []);
}
