import { expect, test } from "vitest";
import { ChordReader, chordOf, SEQUENCE_MS } from "./chords.ts";

const press = (key: string, more: Partial<Parameters<typeof chordOf>[0]> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
});

test.each([
  [press("k", { ctrlKey: true }), "mod+k"],
  [press("K", { metaKey: true }), "mod+k"],
  [press("J"), "j"],
  [press("?", { shiftKey: true }), "?"],
  [press("K", { shiftKey: true }), "shift+k"],
  [press("Enter", { ctrlKey: true }), "mod+Enter"],
  [press("Control", { ctrlKey: true }), undefined],
  [press("j", { altKey: true }), undefined],
])("%j is %j", (pressed, chord) => {
  expect(chordOf(pressed)).toBe(chord);
});

const wanted = (chord: string) => ["g i", "i", "j"].includes(chord);

test("a sequence is recognised before its second key alone", () => {
  const reader = new ChordReader();
  expect(reader.read(press("g"), 0, wanted)).toBeUndefined();
  expect(reader.read(press("i"), 200, wanted)).toBe("g i");
  expect(reader.read(press("i"), 400, wanted)).toBe("i");
});

test("a sequence must be quick, and another key ends it", () => {
  const reader = new ChordReader();
  reader.read(press("g"), 0, wanted);
  expect(reader.read(press("i"), SEQUENCE_MS + 1, wanted)).toBe("i");
  reader.read(press("g"), 2000, wanted);
  expect(reader.read(press("j"), 2100, wanted)).toBe("j");
  expect(reader.read(press("i"), 2200, wanted)).toBe("i");
});
