import type { MessageKey, MessageValues, Translator } from "../../i18n/index.ts";

/** A piece of a sentence: words, or the name of something that is put in there. */
export type Piece = { readonly text: string } | { readonly slot: string };

// A private-use character: no catalogue holds it, and values that come from agents are never formatted with it.
const MARK = "\uE000";

/** The sentence in pieces, so that what stands at a slot can be a link. `slots` are the names in the message. */
export function richText(
  text: Translator,
  key: MessageKey,
  slots: Iterable<string>,
  values: MessageValues = {},
): readonly Piece[] {
  const marked = Object.fromEntries([...slots].map((slot) => [slot, `${MARK}${slot}${MARK}`]));
  return text(key, { ...values, ...marked })
    .split(MARK)
    .flatMap((part, index): Piece[] => {
      if (index % 2 === 1) return [{ slot: part }];
      return part === "" ? [] : [{ text: part }];
    });
}
