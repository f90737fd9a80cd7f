import { describe, expect, test } from "vitest";
import { IntercomError, LIMITS, type OperationName, operations, parseInput } from "./index.ts";

function refusal(name: OperationName, data: unknown): IntercomError {
  try {
    parseInput(operations[name].input, data);
  } catch (error) {
    if (error instanceof IntercomError) return error;
    throw error;
  }
  throw new Error(`${name} accepted ${JSON.stringify(data)}`);
}

const message = { to: "reviewer", body: "hello" };
const agent = { displayName: "Planner" };

describe("a refusal", () => {
  test.each<[string, OperationName, unknown, string]>([
    ["a missing field", "sendMessage", { to: "a" }, "body: is required; expected 1 to 65536 bytes of text"],
    [
      "a missing choice",
      "addTaskProgress",
      { taskId: "t", text: "x" },
      "kind: is required; expected one of progress, note, blocker",
    ],
    ["a wrong type", "sendMessage", { ...message, body: 7 }, "body: expected 1 to 65536 bytes of text"],
    ["null", "sendMessage", { ...message, mode: null }, "mode: expected one of notify, request, response"],
    ["a list that is none", "sendMessage", { ...message, context: {} }, "context: expected array, received object"],
    [
      "an object that is none",
      "registerAgent",
      { ...agent, metadata: [] },
      "metadata: expected object, received array",
    ],
    [
      "too many bytes",
      "sendMessage",
      { ...message, body: "€".repeat(22_000) },
      "body: expected 1 to 65536 bytes of text, got 66000",
    ],
    ["blank text", "sendMessage", { ...message, body: " \n" }, "body: expected 1 to 65536 bytes of text, not blank"],
    ["a fraction", "reserveInbox", { waitMs: 1.5 }, "waitMs: expected a whole number from 0 to 25000"],
    ["a number too large", "reserveInbox", { limit: 101 }, "limit: expected a whole number from 0 to 100"],
    ["a number as text", "reserveInbox", { limit: "5" }, "limit: expected a whole number from 0 to 100"],
    [
      "a short lease",
      "registerAgent",
      { ...agent, leaseMs: 29_999 },
      "leaseMs: expected 0 or 30000 to 86400000 milliseconds",
    ],
    ["an unknown value", "updateScope", { linkPolicy: "closed" }, "linkPolicy: expected one of explicit, open"],
    ["a flag as text", "resolveLinkRequest", { linkRequestId: "l", accept: "yes" }, "accept: expected true or false"],
    [
      "a bad identifier",
      "sendMessage",
      { ...message, to: "a b" },
      "to: expected an identifier: 1 to 128 characters of A-Z a-z 0-9 _ . : - that begin with a letter or digit",
    ],
    ["an unknown field at the root", "retire", { force: true }, "force: unknown field; expected no fields"],
    ["an unknown field", "claimNextTask", { wait: 1 }, "wait: unknown field; expected waitMs"],
    [
      "an unknown field inside a list",
      "sendMessage",
      { ...message, context: [{ kind: "text", title: "t", body: "x" }] },
      "context.0.body: unknown field; expected kind, title, text, uri, mediaType",
    ],
    [
      "an unknown field inside an object",
      "updateProfile",
      { metadata: { os: "linux" } },
      "metadata.os: unknown field; expected harness, harnessVersion, model, cwd, pid, host, sessionId",
    ],
    [
      "duplicate capabilities",
      "registerAgent",
      { ...agent, capabilities: [{ name: "a" }, { name: "a", description: "again" }] },
      "capabilities: expected each capability name once",
    ],
    ["one option", "askHuman", { question: "q", options: ["yes"] }, "options: expected no options, or 2 to 4"],
    [
      "a choice without options",
      "askHuman",
      { question: "q", kind: "choice" },
      "options: expected options when kind is choice",
    ],
    [
      "ready while offline",
      "heartbeat",
      { lifecycle: "offline", ready: true },
      "ready: expected false while lifecycle is offline",
    ],
    ["a link to oneself", "linkAgents", { left: "a", right: "a" }, "right: expected two different agents"],
    ["a peer without agent", "listMessages", { peer: "a" }, "agent: expected agent together with peer"],
  ])("of %s names the field and what was expected", (_, name, data, expected) => {
    const error = refusal(name, data);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toBe(expected);
  });

  test.each([["text"], [null], [[]], [5], [undefined]])("of %j instead of an object says so", (data) => {
    expect(refusal("sendMessage", data).message).toMatch(/expected object/);
  });

  test.each(["__proto__", "constructor", "toString"])("covers a field named %s", (key) => {
    const data: unknown = JSON.parse(`{"displayName":"x","${key}":{"polluted":true}}`);
    expect(refusal("registerAgent", data).message).toMatch(new RegExp(`^${key}: unknown field; expected id, `));
    const nested: unknown = JSON.parse(`{"metadata":{"${key}":{"polluted":true}}}`);
    expect(refusal("updateProfile", nested).message).toMatch(new RegExp(`^metadata\\.${key}: unknown field; `));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("lists the first ten problems in its details", () => {
    const fields = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`extra${index}`, 1]));
    const issues = refusal("sendMessage", { ...fields }).details?.issues;
    expect(issues).toHaveLength(10);
    expect(issues).toContainEqual({ field: "body", problem: "is required; expected 1 to 65536 bytes of text" });
  });

  test("does not repeat what it was given", () => {
    const secret = "s3cret".repeat(20_000);
    expect(JSON.stringify(refusal("sendMessage", { ...message, body: secret }).toValue())).not.toContain("s3cret");
  });
});

describe("limits of several fields together", () => {
  const item = (bytes: number) => ({ kind: "text", title: "t", text: "x".repeat(bytes - 1) });
  const full = [...Array.from({ length: 3 }, () => item(65_536)), item(65_536)];

  test("context is bounded as a whole", () => {
    expect(() => parseInput(operations.sendMessage.input, { ...message, context: full })).not.toThrow();
    const over = [...full, { kind: "url", title: "u" }];
    expect(refusal("sendMessage", { ...message, context: over }).message).toBe(
      `context: expected at most ${LIMITS.contextTotalBytes} bytes of context in total`,
    );
  });

  test("context has a bounded number of items", () => {
    const many = Array.from({ length: LIMITS.contextItems + 1 }, () => ({ kind: "url", title: "u" }));
    expect(refusal("sendMessage", { ...message, context: many }).message).toBe(
      "context: expected at most 32 context items",
    );
  });
});
