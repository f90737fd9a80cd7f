/** What of a key press matters. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

const MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta", "AltGraph"]);

/**
 * The name of a press: `mod+k` with Control or Command, otherwise the key alone. Shift is told by the character it makes, such
 * as `?`, and named only with keys that make none. Undefined for a modifier by itself and for what belongs to the system.
 */
export function chordOf(press: Press): string | undefined {
  if (MODIFIERS.has(press.key) || press.altKey) return undefined;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const shift = press.shiftKey && (press.key.length > 1 || /^[a-z]$/i.test(press.key)) ? "shift+" : "";
  return `${press.ctrlKey || press.metaKey ? "mod+" : ""}${shift}${key}`;
}

/** A second key of a sequence such as `g i` must follow within this time. */
export const SEQUENCE_MS = 1200;

/** Recognises single presses and sequences of two among the wanted ones. */
export class ChordReader {
  #first: { readonly chord: string; readonly at: number } | undefined;

  /** The wanted chord that this press completes, if it does. */
  read(press: Press, atMs: number, isWanted: (chord: string) => boolean): string | undefined {
    const chord = chordOf(press);
    if (chord === undefined) return undefined;
    const first = this.#first;
    this.#first = undefined;
    if (first && atMs - first.at <= SEQUENCE_MS) {
      const sequence = `${first.chord} ${chord}`;
      if (isWanted(sequence)) return sequence;
    }
    if (isWanted(chord)) return chord;
    this.#first = { chord, at: atMs };
    return undefined;
  }
}
