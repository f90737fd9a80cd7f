/**
 * Characters of JSON the result of a tool may have. Clients cut longer ones in the middle, put them into files, or show the
 * beginning only, each in its own way and without the model's asking; below this none does.
 */
export const RESULT_CHARACTERS = 10_000;

/** What lists and texts may take of it; the rest is for what is said around them. */
export const CONTENT_ROOM = RESULT_CHARACTERS - 1_500;

export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}

/** A piece of a text, and where in the text it begins and ends. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** As much of `text` from `offset` on as takes at most `room` characters of JSON. Never half a character. */
export function pieceOf(text: string, offset: number, room: number): Piece {
  const start = isInsidePair(text, offset) ? offset - 1 : offset;
  // Quotation marks around it.
  let left = room - 2;
  let end = start;
  while (end < text.length) {
    const width = isInsidePair(text, end + 1) ? 2 : 1;
    left -= width === 2 ? 2 : escapedLength(text.charCodeAt(end));
    if (left < 0) break;
    end += width;
  }
  return { text: text.slice(start, end), start, end };
}

function isInsidePair(text: string, offset: number): boolean {
  const [before, after] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** Characters that one UTF-16 unit takes in JSON. */
function escapedLength(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit >= 0x20) return unit >= 0xd800 && unit <= 0xdfff ? 6 : 1;
  return [0x08, 0x09, 0x0a, 0x0c, 0x0d].includes(unit) ? 2 : 6;
}

/** `text`, or its beginning with a mark that says so where the whole takes more than `room` characters of JSON. */
export function clip(text: string, room: number): string {
  const whole = pieceOf(text, 0, room);
  return whole.end === text.length ? text : `${pieceOf(text, 0, room - 1).text}…`;
}

/** As many of the first `items` as fit into `room` together, and the first in any case. */
export function fitting<T>(items: readonly T[], room = CONTENT_ROOM): T[] {
  let left = room;
  const count = items.findIndex((item, index) => {
    left -= jsonLength(item) + 1;
    return left < 0 && index > 0;
  });
  return count < 0 ? [...items] : items.slice(0, count);
}
