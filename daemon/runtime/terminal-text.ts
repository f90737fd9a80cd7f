// Control characters, line and paragraph separators, and the characters that reorder or hide text (bidi embeddings,
// overrides and isolates, zero-width ones, tags). A terminal obeys them; text of a stranger must not command it.
// Zero-width joiner and variation selectors stay: emoji are made of them, and they cannot move text.
const UNSAFE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\u001b": "\\e" };

/** Text of a stranger on one line of a terminal: what could steer the terminal is shown as an escape. */
export function escapeForTerminal(value: string): string {
  return value.replace(UNSAFE, escapeCharacter);
}

/** The same for text of several lines: line feeds and tabs keep their meaning, carriage returns before a line feed go. */
export function escapeBlockForTerminal(value: string): string {
  return value
    .replaceAll("\r\n", "\n")
    .replace(UNSAFE, (character) =>
      character === "\n" || character === "\t" ? character : escapeCharacter(character),
    );
}

function escapeCharacter(character: string): string {
  return SHORT[character] ?? `\\u{${(character.codePointAt(0) as number).toString(16)}}`;
}
