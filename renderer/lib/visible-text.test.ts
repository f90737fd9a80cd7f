import { expect, test } from "vitest";
import { visibleLine, visibleParts } from "./visible-text.ts";

const shown = (value: string) =>
  visibleParts(value)
    .map((part) => ("text" in part ? part.text : `<${part.hidden}>`))
    .join("");

test.each([
  ["plain words\nin two lines\twith a tab", "plain words\nin two lines\twith a tab"],
  ["carriage\r\nreturns of a file", "carriage\nreturns of a file"],
  ["right to left \u202egnp.exe", "right to left <U+202E>gnp.exe"],
  ["isolates \u2066\u2069", "isolates <U+2066><U+2069>"],
  ["zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"],
  ["escape \u001b[31mred", "escape <U+001B>[31mred"],
  ["a null \u0000 and a delete \u007f", "a null <U+0000> and a delete <U+007F>"],
  ["tag characters \u{e0041}\u{e0042}", "tag characters <U+E0041><U+E0042>"],
  ["a lone surrogate \ud800", "a lone surrogate <U+D800>"],
  ["line separator \u2028", "line separator <U+2028>"],
  ["Hangul filler \u3164", "Hangul filler <U+3164>"],
  ["umlauts äöü, 漢字, עברית", "umlauts äöü, 漢字, עברית"],
  ["emoji ⚠️ 👩‍💻 👍🏽", "emoji ⚠️ 👩‍💻 👍🏽"],
  ["a joiner between letters a\u200db", "a joiner between letters a<U+200D>b"],
])("%j is shown as it is", (value, expected) => {
  expect(shown(value)).toBe(expected);
});

test("markup is text like any other", () => {
  expect(visibleParts("<img src=x onerror=alert(1)>")).toEqual([{ at: 0, text: "<img src=x onerror=alert(1)>" }]);
});

test("parts say where they begin, so that they have keys", () => {
  expect(visibleParts("a\u200bb")).toEqual([
    { at: 0, text: "a" },
    { at: 1, hidden: "U+200B" },
    { at: 2, text: "b" },
  ]);
});

test("a line is one line, no longer than is wanted", () => {
  expect(visibleLine("  two\n\nlines \u202e ")).toBe("two lines [U+202E]");
  expect(visibleLine("x".repeat(500), 10)).toBe(`${"x".repeat(10)}…`);
});
