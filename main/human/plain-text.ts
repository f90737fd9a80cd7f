import { escapeForTerminal } from "../../daemon/runtime/terminal-text.ts";

// Texts of agents are those of strangers. In menus and notifications of the operating system they must neither look like ours
// nor run on for ever: what could steer or reorder text is shown as an escape, and lengths are counted as humans see them.

/** A letter may carry any number of marks, which would paint over the lines around it. */
const LONGEST_GRAPHEME = 16;
const ELLIPSIS = "…";
const WIDE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Text of a stranger on one line of at most `width` columns; wide letters take two. What is cut off ends with an ellipsis. */
export function oneLine(text: string, width: number): string {
  return cut(graphemesOf(fold(text), width), width);
}

/**
 * Text of a stranger in lines of at most `width` columns, broken between words where that is possible. `rest` says whether
 * there was more than fits into `maxLines`.
 */
export function lines(text: string, width: number, maxLines: number): { lines: string[]; rest: boolean } {
  const done: string[] = [];
  for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    // What is far beyond the last line is not even looked at.
    const words = fold(paragraph.slice(0, width * (maxLines + 1) * LONGEST_GRAPHEME)).split(" ");
    for (const line of wrapped(words, width)) {
      if (done.length === maxLines) return { lines: done, rest: true };
      done.push(line);
    }
  }
  return { lines: done, rest: false };
}

/** In a label of a menu `&` marks the letter to press. */
export function menuLabel(text: string): string {
  return text.replaceAll("&", "&&");
}

function fold(text: string): string {
  return escapeForTerminal(text.replace(/[\s\u2028\u2029]+/g, " ").trim());
}

function* wrapped(words: readonly string[], width: number): Generator<string> {
  let line: string[] = [];
  let used = 0;
  for (const word of words) {
    let graphemes = graphemesOf(word);
    if (graphemes.length === 0) continue;
    const needed = widthOf(graphemes) + (used > 0 ? 1 : 0);
    if (used > 0 && used + needed > width) {
      yield line.join("");
      line = [];
      used = 0;
    }
    while (widthOf(graphemes) > width) {
      const head = fitting(graphemes, width);
      yield head.join("");
      graphemes = graphemes.slice(head.length);
    }
    if (used > 0) line.push(" ");
    line.push(...graphemes);
    used = widthOf(line);
  }
  if (line.length > 0) yield line.join("");
}

/** With `width` only as many as can be needed to know whether the text fits into that. */
function graphemesOf(text: string, width = Number.POSITIVE_INFINITY): string[] {
  const graphemes: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    graphemes.push(segment.length <= LONGEST_GRAPHEME ? segment : segment.slice(0, LONGEST_GRAPHEME).toWellFormed());
    if (graphemes.length > width) break;
  }
  return graphemes;
}

function cut(graphemes: readonly string[], width: number): string {
  if (widthOf(graphemes) <= width) return graphemes.join("");
  return `${fitting(graphemes, width - 1)
    .join("")
    .trimEnd()}${ELLIPSIS}`;
}

/** As many from the beginning as `width` holds, and never none: a letter wider than that would never be passed. */
function fitting(graphemes: readonly string[], width: number): readonly string[] {
  let used = 0;
  const end = graphemes.findIndex((grapheme) => {
    used += columns(grapheme);
    return used > width;
  });
  return end === -1 ? graphemes : graphemes.slice(0, Math.max(1, end));
}

function widthOf(graphemes: readonly string[]): number {
  return graphemes.reduce((sum, grapheme) => sum + columns(grapheme), 0);
}

function columns(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : 1;
}
