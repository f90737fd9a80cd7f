import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isIntercomError } from "../../protocol/index.ts";
import { readSendMessage } from "./acceptance.ts";
import { A2aError } from "./errors.ts";

const PUBLICATION = "pub_1";
const right = { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hello" }] } };

/** Reads a body, or says for which A2A or own reason it is none. @throws what must never come up */
function outcome(body: unknown): "accepted" | string {
  try {
    readSendMessage(PUBLICATION, body);
    return "accepted";
  } catch (error) {
    if (error instanceof A2aError) return error.reason;
    if (isIntercomError(error)) return error.code;
    throw error;
  }
}

test("gives the message, with the publication of the path", () => {
  expect(readSendMessage(PUBLICATION, right)).toEqual({ publicationId: PUBLICATION, ...right });
});

test("takes no offence at what is empty, and hands none of it on", () => {
  const nothing = { taskId: "", contextId: null, metadata: {}, extensions: [], referenceTaskIds: null };
  const parts = [{ text: "", mediaType: "", filename: null, metadata: {}, url: null }, { text: "hello" }];
  const body = { message: { ...right.message, ...nothing, parts }, configuration: {}, metadata: null, tenant: "" };
  expect(readSendMessage(PUBLICATION, body)).toEqual({
    publicationId: PUBLICATION,
    message: { ...right.message, parts: [{ text: "" }, { text: "hello" }] },
  });
});

describe("whatever comes, it is accepted or refused", () => {
  const KNOWN = ["INVALID_ARGUMENT", "UNSUPPORTED_OPERATION", "CONTENT_TYPE_NOT_SUPPORTED", "accepted"];

  test("any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(KNOWN).toContain(outcome(body));
      }),
    );
  });

  test("a right message with anything in one place", () => {
    const members = ["messageId", "role", "parts", "taskId", "contextId", "metadata", "extensions", "__proto__"];
    const messages = fc.tuple(fc.constantFrom(...members), fc.jsonValue()).map(([member, value]) => ({
      message: JSON.parse(`{${JSON.stringify(member)}:${JSON.stringify(value)}}`),
    }));
    fc.assert(
      fc.property(messages, ({ message }) => {
        expect(KNOWN).toContain(outcome({ message: { ...right.message, ...message } }));
      }),
    );
  });

  test("a right message with any part", () => {
    const part = fc.record(
      { text: fc.jsonValue(), raw: fc.jsonValue(), data: fc.jsonValue(), mediaType: fc.jsonValue() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const found = outcome({ message: { ...right.message, parts } });
        expect(KNOWN).toContain(found);
        if (found === "accepted") for (const each of parts) expect(each.text).toEqual(expect.any(String));
      }),
    );
  });
});
