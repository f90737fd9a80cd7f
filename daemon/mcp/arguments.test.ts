import { describe, expect, it } from "vitest";
import { reviveJsonText } from "./arguments.ts";

const schema = {
  type: "object",
  properties: {
    list: { type: "array", items: { type: "string" } },
    thing: { type: "object", properties: {} },
    text: { type: "string" },
    anything: {},
  },
} as const;

describe("reviveJsonText", () => {
  it.each([
    ["a list as text", { list: '["a","b"]' }, { list: ["a", "b"] }],
    ["an object as text", { thing: ' {"a":1} ' }, { thing: { a: 1 } }],
    ["an empty list as text", { list: "[]" }, { list: [] }],
  ])("revives %s", (_, given, expected) => {
    expect(reviveJsonText(given, schema as never)).toEqual(expected);
  });

  it.each([
    ["text where text is wanted", { text: '["a"]' }],
    ["text where anything goes", { anything: '{"a":1}' }],
    ["a list where an object is wanted", { thing: "[1]" }],
    ["an object where a list is wanted", { list: '{"a":1}' }],
    ["null and numbers as text", { list: "null", thing: "1" }],
    ["text that is not JSON", { list: "a, b", thing: "{" }],
    ["what is a list already", { list: ["a"] }],
    ["arguments nobody knows", { other: "[1]", toString: "[1]" }],
  ])("leaves %s", (_, given) => {
    expect(reviveJsonText(given, schema as never)).toEqual(given);
  });
});
