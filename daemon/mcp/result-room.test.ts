import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, fitting, jsonLength, pieceOf } from "./result-room.ts";

/** Text of everything that is longer in JSON than it looks, or that must not be cut apart. */
const nasty = fc
  .array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u0000", '"', "\\", "\n", "😀", "é", "a".repeat(30))))
  .map((parts) => parts.join(""))
  .filter((text) => text.isWellFormed());

describe("a piece of a text", () => {
  it("is never longer than its room, and together the pieces are the text", () => {
    fc.assert(
      fc.property(nasty, fc.integer({ min: 20, max: 200 }), (text, room) => {
        let [read, offset] = ["", 0];
        while (offset < text.length) {
          const piece = pieceOf(text, offset, room);
          expect(jsonLength(piece.text)).toBeLessThanOrEqual(room);
          expect(piece.start).toBe(offset);
          expect(piece.end).toBeGreaterThan(offset);
          expect(piece.text.isWellFormed()).toBe(true);
          read += piece.text;
          offset = piece.end;
        }
        expect(read).toBe(text);
      }),
    );
  });

  it("begins with a whole character, whatever the offset", () => {
    expect(pieceOf("a😀b", 2, 100)).toEqual({ text: "😀b", start: 1, end: 4 });
  });

  it("is as long as its room allows", () => {
    expect(pieceOf("abcdef", 0, 5)).toEqual({ text: "abc", start: 0, end: 3 });
    expect(pieceOf('a"b', 0, 5).text).toBe('a"');
    expect(pieceOf("abc", 3, 5)).toEqual({ text: "", start: 3, end: 3 });
  });
});

describe("a clipped text", () => {
  it("says that it is, and fits", () => {
    expect(clip("abcdef", 8)).toBe("abcdef");
    expect(clip("abcdef", 7)).toBe("abcd…");
    fc.assert(fc.property(nasty, (text) => jsonLength(clip(text, 40)) <= 40));
  });
});

describe("what fits", () => {
  it("is a beginning of the list that is not longer than its room, unless one alone is", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.integer({ min: 1, max: 100 }), (items, room) => {
        const fits = fitting(items, room);
        expect(items.slice(0, fits.length)).toEqual(fits);
        expect(fits.length === Math.min(1, items.length) || jsonLength(fits) <= room + 2).toBe(true);
      }),
    );
  });
});
