import { describe, expect, it } from "vitest";
import { forgive } from "./forgiving-arguments.ts";
import type { ObjectSchema } from "./schema.ts";

const schema: ObjectSchema = {
  type: "object",
  properties: {
    text: { type: "string" },
    note: { type: "string" },
    messageIds: { type: "array", items: { type: "string" } },
    context: {
      type: "array",
      items: {
        type: "object",
        properties: {
          kind: { type: "string", enum: ["text", "file"] },
          title: { type: "string" },
          uri: { type: "string" },
        },
        required: ["kind", "title"],
      },
    },
    waitMs: { type: "integer" },
    ready: { type: "boolean" },
    status: { type: "string", enum: ["open", "needs_input"] },
    any: {},
  },
  required: ["text"],
};

describe("forgive", () => {
  it.each([
    ["nothing to forgive", { text: "x", ready: false, waitMs: 0 }, { text: "x", ready: false, waitMs: 0 }],
    ["null for an absent argument", { note: null, waitMs: null, messageIds: null }, {}],
    ["an empty text for an absent argument", { note: "", messageIds: "", context: "", status: "" }, {}],
    ["a list as JSON text", { messageIds: '["a","b"]' }, { messageIds: ["a", "b"] }],
    ["one thing for a list", { messageIds: "a" }, { messageIds: ["a"] }],
    ["one number for a list of texts", { messageIds: 7 }, { messageIds: ["7"] }],
    ["an empty list as JSON text", { messageIds: "[]" }, { messageIds: [] }],
    ["one object for a list", { context: { kind: "text", title: "t" } }, { context: [{ kind: "text", title: "t" }] }],
    [
      "objects of a list as JSON text",
      { context: ['{"kind":"FILE","title":"t"}'] },
      { context: [{ kind: "file", title: "t" }] },
    ],
    ["an object as JSON text", { context: '{"kind":"text","title":"t"}' }, { context: [{ kind: "text", title: "t" }] }],
    [
      "mistakes inside of a list",
      { context: [{ Kind: "Text", title: 1, uri: null }] },
      { context: [{ kind: "text", title: "1" }] },
    ],
    ["a number as text", { waitMs: " 25000 " }, { waitMs: 25000 }],
    ["a truth value as text", { ready: "True" }, { ready: true }],
    ["a number for a text", { text: 42, note: false }, { text: "42", note: "false" }],
    ["a choice in another case", { status: "OPEN" }, { status: "open" }],
    ["a choice in another spelling", { status: "needs-input" }, { status: "needs_input" }],
    [
      "names in another spelling",
      { message_ids: ["a"], "Wait-Ms": 1, TEXT: "x" },
      { messageIds: ["a"], waitMs: 1, text: "x" },
    ],
  ])("takes %s as it was meant", (_, given, meant) => {
    expect(forgive(given, schema)).toEqual(meant);
  });

  it.each([
    ["required arguments that are empty", { text: "" }],
    ["required arguments that are null", { text: null }],
    ["text that looks like something else", { text: "[1]", note: "true" }],
    ["numbers that are none", { waitMs: "soon" }],
    ["numbers with more than digits", { waitMs: "1e3" }],
    ["words that are no truth", { ready: "yes" }],
    ["words that are no choice", { status: "closed" }],
    ["whatever may be anything", { any: "[1]" }],
  ])("leaves %s to the schema", (_, given) => {
    expect(forgive(given, schema)).toEqual(given);
  });

  it.each([
    [
      "one that does not exist",
      { colour: "red" },
      /^colour: unknown argument; expected text, note, messageIds, .*any$/,
    ],
    ["one that is close to another", { txt: "x" }, /; did you mean text\?$/],
    ["one that is part of another", { ids: "x" }, /; did you mean messageIds\?$/],
    ["one that is there in two spellings", { message_ids: "a", "message-ids": "b" }, /^message_ids: unknown argument/],
    ["one that is there already", { waitMs: 1, wait_ms: 2 }, /^wait_ms: unknown argument/],
    ["one with a name of the language's own", { constructor: 1 }, /^constructor: unknown argument/],
  ])("refuses %s by its name", (_, given, message) => {
    expect(() => forgive(given, schema)).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }),
    );
  });

  it("names what is expected where nothing is, and repeats no endless name", () => {
    const none: ObjectSchema = { type: "object", properties: {} };
    expect(() => forgive({ all: true }, none)).toThrowError("all: unknown argument; expected no arguments");
    expect(() => forgive({ ["x".repeat(100_000)]: 1 }, none)).toThrowError(/^x{1,64}…: unknown/);
  });

  it("is not led astray by names of the language's own", () => {
    const given = JSON.parse('{"text":"x","__proto__":{"note":"y"}}') as Record<string, unknown>;
    expect(() => forgive(given, schema)).toThrowError(/^__proto__: unknown argument/);
  });
});
