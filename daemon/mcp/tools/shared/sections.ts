import { IntercomError } from "../../../../protocol/index.ts";
import { jsonLength, type Piece, pieceOf } from "../../result-room.ts";

/** A text among several that are read one after the other. */
export interface Section {
  /** Without a colon; different from that of every other section. */
  readonly key: string;
  readonly text: string;
}

export interface ReadSection extends Piece {
  readonly key: string;
  readonly total: number;
}

/** Room a section takes beside its text, and less than which is not worth a piece, characters of JSON. */
const SECTION_ROOM = 250;
const LEAST_ROOM = 200;

/**
 * As many sections, from a cursor on, as take at most `room` characters of JSON. The last one may be a piece only; the next
 * page then goes on within it.
 * @throws {IntercomError} INVALID_ARGUMENT for a cursor that is none
 */
export function readSections(sections: readonly Section[], cursor: string | undefined, room: number) {
  const begin = positionOf(sections, cursor);
  const read: ReadSection[] = [];
  let [left, { index, offset }] = [room, begin];
  for (; index < sections.length; index += 1, offset = 0) {
    const { key, text } = sections[index] as Section;
    if (left < SECTION_ROOM + LEAST_ROOM) return { read, nextCursor: `${key}:${offset}` };
    const piece = pieceOf(text, offset, left - SECTION_ROOM);
    read.push({ key, total: text.length, ...piece });
    if (piece.end < text.length) return { read, nextCursor: `${key}:${piece.end}` };
    left -= jsonLength(piece.text) + SECTION_ROOM;
  }
  return { read };
}

function positionOf(sections: readonly Section[], cursor: string | undefined): { index: number; offset: number } {
  if (cursor === undefined) return { index: 0, offset: 0 };
  const [, key, digits] = /^(\w+):(\d{1,9})$/.exec(cursor) ?? [];
  const index = sections.findIndex((section) => section.key === key);
  if (index < 0) throw new IntercomError("INVALID_ARGUMENT", "cursor: expected nextCursor of an earlier page");
  return { index, offset: Math.min(Number(digits), (sections[index] as Section).text.length) };
}
