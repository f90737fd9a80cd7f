import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLength } from "../../result-room.ts";
import { readSections } from "./sections.ts";

const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 1500 }), { maxLength: 12 });

describe("readSections", () => {
  it("reads everything once, page by page, each within its room", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 600, max: 3000 }), (all, room) => {
        const sections = all.map((text, index) => ({ key: `s${index}`, text }));
        const read = new Map(sections.map(({ key }) => [key, ""]));
        let cursor: string | undefined;
        do {
          const page = readSections(sections, cursor, room);
          expect(jsonLength(page.read.map(({ text }) => text))).toBeLessThanOrEqual(room);
          for (const { key, start, text } of page.read) {
            expect(start).toBe(read.get(key)?.length);
            read.set(key, read.get(key) + text);
          }
          expect(page.nextCursor).not.toBe(cursor ?? "none");
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        expect([...read.values()]).toEqual(all);
      }),
      { numRuns: 50 },
    );
  });

  it.each(["s9:0", "s0", "s0:x", ":", "s0:1:2"])("refuses %j as a cursor", (cursor) => {
    expect(() => readSections([{ key: "s0", text: "abc" }], cursor, 1000)).toThrowError(/^cursor: /);
  });

  it("goes on at the end of a text that has become shorter", () => {
    expect(readSections([{ key: "s0", text: "abc" }], "s0:99", 1000).read).toMatchObject([{ text: "", start: 3 }]);
  });
});
