import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lines, menuLabel, oneLine } from "./plain-text.ts";

const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

describe("text of a stranger on one line", () => {
  it.each([
    ["line breaks and tabs become spaces", " a\r\n\tb\u2028c ", "a b c"],
    ["characters that reorder text are shown", "pay\u202egpj.exe", "pay\\u{202e}gpj.exe"],
    ["so are control characters", "a\u001b[31mb\u0007", "a\\e[31mb\\u{7}"],
    ["and invisible ones", "ad\u200bm\u2060in", "ad\\u{200b}m\\u{2060}in"],
    ["emoji stay whole", "👩‍👩‍👧 ok", "👩‍👩‍👧 ok"],
    ["nothing stays nothing", " \n ", ""],
  ])("%s", (_, text, shown) => {
    expect(oneLine(text, 40)).toBe(shown);
  });

  it("is cut where a letter ends, and says so", () => {
    expect(oneLine("abcdef", 6)).toBe("abcdef");
    expect(oneLine("abcdefg", 6)).toBe("abcde…");
    expect(oneLine("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 5)).toBe("👩‍👩‍👧👩‍👩‍👧…");
    expect(oneLine("漢字漢字", 6)).toBe("漢字…");
    expect(oneLine("abc defg", 5)).toBe("abc…");
  });

  it("carries no more marks on a letter than a letter has", () => {
    expect(oneLine(`a${"\u0301".repeat(500)}b`, 10)).toHaveLength(17);
  });

  it("is harmless and short, whatever it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 4, max: 60 }), (text, width) => {
        const shown = oneLine(text, width);
        expect(shown).not.toMatch(UNSAFE);
        expect([...new Intl.Segmenter("en").segment(shown)].length).toBeLessThanOrEqual(width);
      }),
    );
  });
});

describe("text of a stranger on several lines", () => {
  it("is broken between words, and keeps paragraphs", () => {
    expect(lines("one two three\nfour", 8, 9)).toEqual({ lines: ["one two", "three", "four"], rest: false });
  });

  it("breaks words that no line can hold", () => {
    expect(lines("ab cdefghij k", 4, 9).lines).toEqual(["ab", "cdef", "ghij", "k"]);
    expect(lines("漢字漢字", 4, 9).lines).toEqual(["漢字", "漢字"]);
    expect(lines("漢字", 1, 9).lines).toEqual(["漢", "字"]);
  });

  it("ends at the last line there is room for, and says that there is more", () => {
    expect(lines("a\nb\nc", 8, 2)).toEqual({ lines: ["a", "b"], rest: true });
    expect(lines("a\n\n \nb", 8, 2)).toEqual({ lines: ["a", "b"], rest: false });
  });

  it("loses no word, and no line is too long", () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), fc.integer({ min: 3, max: 30 }), (words, width) => {
        const wrapped = lines(words.join(" "), width, 1000);
        expect(wrapped.rest).toBe(false);
        for (const line of wrapped.lines) expect(line.length).toBeLessThanOrEqual(width);
        expect(wrapped.lines.join("").replaceAll(" ", "")).toBe(words.join(""));
      }),
    );
  });
});

it("a menu shows an ampersand instead of taking the letter after it as a key", () => {
  expect(menuLabel("R&D && more")).toBe("R&&D &&&& more");
});
