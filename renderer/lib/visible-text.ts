/**
 * Characters that are not seen, or that change the order in which others are seen. In the words of an agent they may
 * hide something, so they are shown by name: controls, formats, separators of lines, and what has no glyph at all.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Cn}\p{Co}\p{Cs}]/gu;
const LAYOUT = new Set(["\t", "\n"]);
/** What emoji are put together with, where they are: there it can hide nothing. */
const IN_EMOJI =
  /(?<=\p{Emoji})\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})/gu;

/** A part of a text, beginning `at` there: as it is, or the name of a character that would not be seen. */
export type TextPart = { readonly at: number } & ({ readonly text: string } | { readonly hidden: string });

/** Splits a text at the characters that must be made visible. Carriage returns before a line feed are dropped. */
export function visibleParts(value: string): readonly TextPart[] {
  const text = value.replaceAll("\r\n", "\n");
  const harmless = new Set(Array.from(text.matchAll(IN_EMOJI), ({ index }) => index));
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (LAYOUT.has(character) || harmless.has(index)) continue;
    if (index > from) parts.push({ at: from, text: text.slice(from, index) });
    parts.push({ at: index, hidden: codePointName(character) });
    from = index + character.length;
  }
  if (from < text.length) parts.push({ at: from, text: text.slice(from) });
  return parts;
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** In one line, for titles and lists, with hidden characters named and at most `longest` characters. */
export function visibleLine(value: string, longest = 300): string {
  const line = visibleParts(value.slice(0, longest * 2))
    .map((part) => ("text" in part ? part.text : `[${part.hidden}]`))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line;
}
