import { expect, test } from "vitest";
import { mergeSources } from "./merged.ts";

const instant = (value: string) => value;

test("several lists are one, the newest first", () => {
  const sources = [
    { items: ["2026-05", "2026-02"], nextCursor: undefined },
    { items: ["2026-04", "2026-03"], nextCursor: undefined },
  ];
  expect(mergeSources(sources, instant)).toEqual(["2026-05", "2026-04", "2026-03", "2026-02"]);
});

test("what may yet have something before it is held back", () => {
  const sources = [
    { items: ["2026-09", "2026-07"], nextCursor: "more" },
    { items: ["2026-08", "2026-01"], nextCursor: undefined },
  ];
  expect(mergeSources(sources, instant)).toEqual(["2026-09", "2026-08", "2026-07"]);
});

test("an empty page with more to come holds nothing back", () => {
  expect(mergeSources([{ items: [], nextCursor: "more" }], instant)).toEqual([]);
});
