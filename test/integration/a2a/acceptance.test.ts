import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "../../../protocol/index.ts";
import { failureOf, PublishedAgent, wireMessage } from "../../support/a2a.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** What the interface takes and what it refuses, case by case; a refusal leaves nothing behind. */

const errors: unknown[] = [];
const intercom = useDaemon({
  logger: {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (...entry: unknown[]) => errors.push(entry),
  } as never,
});
let published: PublishedAgent;

beforeAll(async () => {
  published = await PublishedAgent.make(intercom());
});

afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
});

type More = Readonly<Record<string, unknown>>;

const parts = (...list: unknown[]) => wireMessage("", { parts: list });
const part = (more: More) => parts({ text: "hello", ...more });
const request = (more: More) => ({ ...wireMessage(), ...more });
const config = (more: More) => request({ configuration: more });

function without(member: string) {
  const { message } = wireMessage();
  return { message: { ...message, [member]: undefined } };
}

const KINDS: Readonly<Record<string, { httpStatus: number; status: string }>> = {
  INVALID_PARAMS: { httpStatus: 400, status: "INVALID_ARGUMENT" },
  CONTENT_TYPE_NOT_SUPPORTED: { httpStatus: 400, status: "INVALID_ARGUMENT" },
  UNSUPPORTED_OPERATION: { httpStatus: 400, status: "FAILED_PRECONDITION" },
  VERSION_NOT_SUPPORTED: { httpStatus: 400, status: "FAILED_PRECONDITION" },
  TASK_NOT_FOUND: { httpStatus: 404, status: "NOT_FOUND" },
};

const REFUSED: readonly (readonly [reason: string, what: string, body: unknown, message: RegExp])[] = [
  ["INVALID_PARAMS", "no body", undefined, /^The body: expected a JSON object/],
  ["INVALID_PARAMS", "an empty object", {}, /^message: is required/],
  ["INVALID_PARAMS", "a list", [], /^The body: expected a JSON object/],
  ["INVALID_PARAMS", "null", "null", /^The body: expected a JSON object/],
  ["INVALID_PARAMS", "no JSON", "{", /^The body is not one JSON value/],
  ["INVALID_PARAMS", "an unknown member", request({ urgent: true }), /^urgent: unknown field/],
  ["INVALID_PARAMS", "a publication in the body", request({ publicationId: "pub_x" }), /^publicationId: unknown field/],
  ["INVALID_PARAMS", "a tenant", request({ tenant: "acme" }), /^tenant: expected none/],
  ["INVALID_PARAMS", "a tenant that is none", request({ tenant: 7 }), /^tenant: /],
  ["INVALID_PARAMS", "no message", request({ message: null }), /^message: is required/],
  ["INVALID_PARAMS", "a message that is text", request({ message: "hello" }), /^message: /],
  ["INVALID_PARAMS", "a list of messages", request({ message: [wireMessage().message] }), /^message: /],
  ["INVALID_PARAMS", "no id", without("messageId"), /^message.messageId: is required/],
  ["INVALID_PARAMS", "an empty id", wireMessage("", { messageId: "" }), /^message.messageId: is required/],
  ["INVALID_PARAMS", "an id that is none", wireMessage("", { messageId: "a b" }), /^message.messageId: expected an id/],
  ["INVALID_PARAMS", "a numeric id", wireMessage("", { messageId: 7 }), /^message.messageId: expected an id/],
  [
    "INVALID_PARAMS",
    "an id that is too long",
    wireMessage("", { messageId: "m".repeat(LIMITS.identifierLength + 1) }),
    /^message.messageId: expected an id/,
  ],
  ["INVALID_PARAMS", "no role", without("role"), /^message.role: is required/],
  ["INVALID_PARAMS", "the agent's role", wireMessage("", { role: "ROLE_AGENT" }), /^message.role: expected ROLE_USER/],
  ["INVALID_PARAMS", "a role of 0.3", wireMessage("", { role: "user" }), /^message.role: expected ROLE_USER/],
  ["INVALID_PARAMS", "no parts", without("parts"), /^message.parts: is required/],
  ["INVALID_PARAMS", "an empty list of parts", parts(), /^message.parts: is required/],
  ["INVALID_PARAMS", "parts that are none", wireMessage("", { parts: "hello" }), /^message.parts: expected a list/],
  ["INVALID_PARAMS", "a part that is null", parts({ text: "hello" }, null), /^message.parts.1: /],
  ["INVALID_PARAMS", "a part that is text", parts("hello"), /^message.parts.0: /],
  ["INVALID_PARAMS", "a text that is none", parts({ text: 7 }), /^message.parts.0.text: expected text/],
  ["INVALID_PARAMS", "blank text", parts({ text: " " }, { text: "\n" }), /^message.parts: .*not blank/],
  ["INVALID_PARAMS", "NUL", parts({ text: "a\u0000b" }), /^message.parts: must not contain the NUL/],
  [
    "INVALID_PARAMS",
    "half a character",
    parts({ text: "\ud83d" }, { text: "\ude00" }),
    /^message.parts: .*well-formed/,
  ],
  [
    "INVALID_PARAMS",
    "too much text",
    parts({ text: "a" }, { text: "a".repeat(LIMITS.messageBodyBytes - 1) }),
    /^message.parts: expected 1 to 65536 bytes of text, got 65537/,
  ],
  ["INVALID_PARAMS", "a task id that is none", wireMessage("", { taskId: "../x" }), /^message.taskId: expected an id/],
  ["INVALID_PARAMS", "a context id that is none", wireMessage("", { contextId: { a: 1 } }), /^message.contextId: /],
  ["INVALID_PARAMS", "a negative history", config({ historyLength: -1 }), /^configuration.historyLength: /],
  ["INVALID_PARAMS", "a broken history", config({ historyLength: 1.5 }), /^configuration.historyLength: /],
  ["INVALID_PARAMS", "a history of text", config({ historyLength: "1" }), /^configuration.historyLength: /],
  ["INVALID_PARAMS", "a configuration that is none", request({ configuration: "x" }), /^configuration: /],
  ["TASK_NOT_FOUND", "a task nobody has", wireMessage("hello", { taskId: "a2at_x" }), /^Task a2at_x does not exist/],
  ["UNSUPPORTED_OPERATION", "metadata", request({ metadata: { a: 1 } }), /^metadata: is not supported/],
  ["UNSUPPORTED_OPERATION", "metadata of the message", wireMessage("x", { metadata: { a: 1 } }), /^message.metadata: /],
  ["UNSUPPORTED_OPERATION", "extensions", wireMessage("x", { extensions: ["https://e.example"] }), /^message.ext/],
  ["UNSUPPORTED_OPERATION", "other tasks", wireMessage("x", { referenceTaskIds: ["a2at_x"] }), /^message.referenceT/],
  [
    "UNSUPPORTED_OPERATION",
    "notifications",
    config({ taskPushNotificationConfig: { url: "https://e.example" } }),
    /^configuration.taskPushNotificationConfig: /,
  ],
  ["UNSUPPORTED_OPERATION", "empty notifications", config({ pushNotificationConfig: {} }), /^configuration.push/],
  ["CONTENT_TYPE_NOT_SUPPORTED", "an empty part", parts({}), /^message.parts.0: expected text/],
  ["CONTENT_TYPE_NOT_SUPPORTED", "bytes", parts({ raw: "aGVsbG8=" }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "no bytes", parts({ raw: "" }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "a file", parts({ text: "a" }, { url: "https://e.example" }), /^message.parts.1: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "data", parts({ data: {} }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "text and data", part({ data: 7 }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "a file name", part({ filename: "a.txt" }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "metadata of a part", part({ metadata: { a: 1 } }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "marked-up text", part({ mediaType: "text/markdown" }), /^message.parts.0: /],
  ["CONTENT_TYPE_NOT_SUPPORTED", "a type that is none", part({ mediaType: 7 }), /^message.parts.0: /],
];

test.each(REFUSED)("%s for %s", async (reason, _what, body, message) => {
  const before = published.work();
  const answer = await published.post(body, { "Content-Type": "application/json" });
  expect(failureOf(answer)).toEqual({ ...KINDS[reason], reason, message: expect.stringMatching(message) });
  expect(published.work()).toBe(before);
});

const ACCEPTED: readonly (readonly [what: string, body: { message: More }, text: string])[] = [
  ["several parts, one below the other", parts({ text: "one" }, { text: "" }, { text: "two" }), "one\n\ntwo"],
  ["text that says what it is", part({ mediaType: "text/plain" }), "hello"],
  [
    "what is left out, written as null",
    {
      ...wireMessage("hello", {
        taskId: null,
        contextId: null,
        metadata: null,
        extensions: null,
        referenceTaskIds: null,
      }),
      ...{ configuration: null, metadata: null, tenant: null },
    },
    "hello",
  ],
  [
    "what is left out, written as empty",
    {
      ...wireMessage("hello", { taskId: "", contextId: "", metadata: {}, extensions: [], referenceTaskIds: [] }),
      ...{ configuration: {}, metadata: {}, tenant: "" },
    },
    "hello",
  ],
  ["a part with empty members", part({ raw: null, filename: "", mediaType: "", metadata: {} }), "hello"],
  ["members of a later A2A", wireMessage("hello", { mood: "good", parts: [{ text: "hello", tone: "kind" }] }), "hello"],
  ["settings it makes no use of", config({ acceptedOutputModes: ["image/png"], returnImmediately: false }), "hello"],
  ["the longest text", parts({ text: "€".repeat(21_845) }, { text: "" }), `${"€".repeat(21_845)}\n`],
  ["blanks around the text", parts({ text: "\n hello " }), "\n hello "],
  ["characters of every kind", parts({ text: "\u0001 \u202e 😀 \uffff" }), "\u0001 \u202e 😀 \uffff"],
  ["the longest id", wireMessage("hello", { messageId: "m".repeat(LIMITS.identifierLength) }), "hello"],
];

test.each(ACCEPTED)("%s is accepted", async (_what, body, text) => {
  const answer = await published.post(body);
  expect(answer.status).toBe(200);
  const { task } = answer.body as { task: { history: More[] } };
  const { messageId, role } = body.message;
  expect(task.history).toEqual([expect.objectContaining({ messageId, role, parts: [{ text }] })]);
  expect((await published.agent.drain()).map((message) => message.body)).toEqual([text]);
});

describe("the version", () => {
  test.each(["1.0", ""])("%j is spoken", async (version) => {
    expect((await published.post(wireMessage(), { "A2A-Version": version })).status).toBe(200);
    expect((await published.ask("POST", `message:send?A2A-Version=${version}`, wireMessage())).status).toBe(200);
  });

  test.each(["0.3", "1", "1.0.0", "1.1", "2.0", "1.0, 0.3", "x"])("%j is not", async (version) => {
    const before = published.work();
    const kind = { ...KINDS.VERSION_NOT_SUPPORTED, reason: "VERSION_NOT_SUPPORTED" };
    const headers = { "A2A-Version": version };
    expect(failureOf(await published.post(wireMessage(), headers))).toMatchObject(kind);
    expect(failureOf(await published.post("{", headers)), "before the body").toMatchObject(kind);
    expect(failureOf(await published.ask("GET", "tasks/a2at_x", undefined, headers))).toMatchObject(kind);
    const inQuery = `?A2A-Version=${encodeURIComponent(version)}`;
    expect(failureOf(await published.ask("POST", `message:send${inQuery}`, wireMessage()))).toMatchObject(kind);
    expect(failureOf(await published.ask("GET", `tasks/a2at_x${inQuery}`))).toMatchObject(kind);
    expect(published.work()).toBe(before);
  });
});

describe("the body", () => {
  test.each(["application/json", "application/a2a+json", "Application/JSON; charset=utf-8"])(
    "may be %s",
    async (type) => {
      expect((await published.post(wireMessage(), { "Content-Type": type })).status).toBe(200);
    },
  );

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/json5", "multipart/form-data"])(
    "may not be %s",
    async (type) => {
      const before = published.work();
      const answer = await published.post(wireMessage(), { "Content-Type": type });
      expect(failureOf(answer)).toMatchObject({ reason: "CONTENT_TYPE_NOT_SUPPORTED", httpStatus: 400 });
      expect(published.work()).toBe(before);
    },
  );

  test("has 1 MiB at most", async () => {
    const json = JSON.stringify(wireMessage());
    expect((await published.post(json.padEnd(LIMITS.bodyBytes, " "))).status).toBe(200);
    const before = published.work();
    const answer = await published.post(json.padEnd(LIMITS.bodyBytes + 1, " "));
    expect(failureOf(answer)).toMatchObject({ reason: "INVALID_PARAMS", message: "Request body exceeds 1 MiB" });
    expect(answer.headers.get("connection")).toBe("close");
    expect(published.work()).toBe(before);
  });
});

test("answers come as the client asks for them", async () => {
  for (const [accept, type] of [
    ["application/json", "application/json"],
    ["application/a2a+json, application/json", "application/a2a+json"],
  ] as const) {
    for (const body of [wireMessage(), {}]) {
      const answer = await published.post(body, { Accept: accept });
      expect(answer.headers.get("content-type")).toBe(type);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  }
});

describe("a task that is asked for", () => {
  test.each(["a2at_x", "a b", "%00", `${"a".repeat(200)}`, "tasks%2Fx"])("under the id %s is not there", async (id) => {
    expect(failureOf(await published.ask("GET", `tasks/${id}`))).toMatchObject({
      ...KINDS.TASK_NOT_FOUND,
      reason: "TASK_NOT_FOUND",
    });
  });

  test.each(["historyLength=-1", "historyLength=x", "historyLength=1.5", "historyLength=9999999999", "full=true"])(
    "with %s is not shown",
    async (query) => {
      expect(failureOf(await published.ask("GET", `tasks/a2at_x?${query}`))).toMatchObject({
        reason: "INVALID_PARAMS",
        message: expect.stringContaining(query.split("=")[0] as string),
      });
    },
  );
});
