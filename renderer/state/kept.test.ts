import { expect, test } from "vitest";
import { readDrafts, withDraft, writeDrafts } from "./drafts.ts";
import { readPreferences, writePreferences } from "./preferences.ts";
import { parseRoute, routeHash } from "./route.ts";

function memory(beginning: string | null = null) {
  let kept = beginning;
  return {
    getItem: () => kept,
    setItem: (_key: string, value: string) => {
      kept = value;
    },
  };
}

test("drafts survive a reload, and an empty one is none", () => {
  const storage = memory();
  writeDrafts(storage, withDraft(withDraft({}, "answer.1", "half a sent"), "answer.2", "x"));
  const again = readDrafts(storage);
  expect(again).toEqual({ "answer.1": "half a sent", "answer.2": "x" });
  expect(withDraft(again, "answer.2", "")).toEqual({ "answer.1": "half a sent" });
});

test.each([["not json"], ["null"], ["[1]"], ['{"a":1}'], [null]])("what is kept as %j is no draft", (kept) => {
  expect(Object.values(readDrafts(memory(kept))).filter((draft) => typeof draft !== "string")).toEqual([]);
});

test("storage that is full or forbidden does not hinder", () => {
  const forbidden = {
    setItem: () => {
      throw new Error("QuotaExceededError");
    },
  };
  expect(() => writeDrafts(forbidden, { a: "b" })).not.toThrow();
  expect(() => writePreferences(forbidden, { theme: "dark", locale: "de" })).not.toThrow();
});

test("preferences of another version fall back to the defaults", () => {
  const storage = memory();
  writePreferences(storage, { theme: "dark", locale: "de" });
  expect(readPreferences(storage)).toEqual({ theme: "dark", locale: "de" });
  expect(readPreferences(memory('{"theme":"sepia","locale":7}'))).toEqual({ theme: "system", locale: "system" });
  expect(readPreferences(memory("null"))).toEqual({ theme: "system", locale: "system" });
});

test.each([
  { view: "inbox" },
  { view: "tasks", scopeId: "web-shop" },
  { view: "inbox", scopeId: "web.shop", id: "esc_0:1" },
] as const)("the address of %j leads back to it", (route) => {
  expect(parseRoute(routeHash(route))).toEqual(route);
});

test.each(["", "#", "#/nowhere", "#/inbox/<script>", "#/inbox//id", "#/../etc"])("%j is the inbox", (hash) => {
  expect(parseRoute(hash)).toEqual({ view: "inbox" });
});
