/** Offset of the next thing that is neither blank nor comment. */
export function skipTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    const next = skipPiece(text, at);
    if (next === at) return at;
    at = next;
  }
}

/** Offset behind the last comment that begins on the line of `offset`; `offset` itself when there is none. */
export function skipInline(text: string, offset: number): number {
  let place = offset;
  for (let at = offset; text[at] !== "\n" && text[at] !== "\r"; ) {
    const next = skipPiece(text, at);
    if (next === at) break;
    if (text[at] === "/") place = next;
    at = next;
  }
  return place;
}

/** Offset behind one blank, line ending or comment that begins at `offset`. */
function skipPiece(text: string, offset: number): number {
  if (text.startsWith("//", offset)) {
    const end = /[\r\n]/.exec(text.slice(offset))?.index;
    return end === undefined ? text.length : offset + end;
  }
  if (text.startsWith("/*", offset)) return text.indexOf("*/", offset + 2) + 2;
  return /\s/.test(text[offset] ?? "") ? offset + 1 : offset;
}
