/**
 * Characters that are not seen, or that change the order in which others are seen. In the words of an agent they may
 * hide something, so they are shown by name. Tab and line feed are layout, the rest of the C0 and C1 controls are not.
 */
const HIDDEN =
  // biome-ignore format: one range a line is no easier to read
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\uffff\u{e0000}-\u{e0fff}]/gu;

/** A part of a text: as it is, or the name of a character that would not be seen. */
export type TextPart = { readonly text: string } | { readonly hidden: string };

/** Splits a text at the characters that must be made visible. Carriage returns before a line feed are dropped. */
export function visibleParts(value: string): readonly TextPart[] {
  const text = value.replaceAll("\r\n", "\n");
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ hidden: codePointName(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
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
