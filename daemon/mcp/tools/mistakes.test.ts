import { describe, expect, test } from "vitest";
import type { Tool } from "../tool.ts";
import { intercom } from "./intercom/index.ts";
import { team } from "./team/index.ts";

/** Mistakes that models make with each tool, and what they mean: arguments the tool takes as they are. */
type Mistakes = Readonly<Record<string, readonly (readonly [what: string, given: object, meant: object])[]>>;

const context = [{ kind: "file", title: "Plan", uri: "file:///plan" }];

const TEAM: Mistakes = {
  set_summary: [["a number as text", { summary: 42 }, { summary: "42" }]],
  list_agents: [
    ["no cursor, said so", { cursor: null }, {}],
    ["an empty cursor", { cursor: "" }, {}],
  ],
  request_link: [["no reason, said so", { agent: "ada", reason: null }, { agent: "ada" }]],
  send_message: [
    [
      "every optional one empty",
      { to: "ada", text: "x", expectsReply: null, replyTo: "", idempotencyKey: "", context: null },
      { to: "ada", text: "x" },
    ],
    [
      "snake case",
      { to: "ada", text: "x", expects_reply: true, idempotency_key: "k" },
      { to: "ada", text: "x", expectsReply: true, idempotencyKey: "k" },
    ],
    [
      "a truth value as text",
      { to: "ada", text: "x", expectsReply: "false" },
      { to: "ada", text: "x", expectsReply: false },
    ],
    [
      "a list as JSON text",
      { to: "ada", text: "x", context: JSON.stringify(context) },
      { to: "ada", text: "x", context },
    ],
    ["one thing for a list", { to: "ada", text: "x", context: context[0] }, { to: "ada", text: "x", context }],
    [
      "a choice in another case",
      { to: "ada", text: "x", context: [{ ...context[0], kind: "FILE" }] },
      { to: "ada", text: "x", context },
    ],
  ],
  check_inbox: [
    ["numbers as text", { limit: "5", waitMs: "1000" }, { limit: 5, waitMs: 1000 }],
    ["snake case", { wait_ms: 1000 }, { waitMs: 1000 }],
    ["nothing, said so", { limit: null, waitMs: "" }, {}],
  ],
  acknowledge_messages: [
    ["a list as JSON text", { messageIds: '["msg_1","msg_2"]' }, { messageIds: ["msg_1", "msg_2"] }],
    ["one id for a list", { messageIds: "msg_1" }, { messageIds: ["msg_1"] }],
    ["snake case", { message_ids: ["msg_1"] }, { messageIds: ["msg_1"] }],
  ],
  read_messages: [
    ["a number as text", { messageId: "msg_1", offset: "100" }, { messageId: "msg_1", offset: 100 }],
    ["every other one empty", { messageId: "", with: "ada", text: null, cursor: "" }, { with: "ada" }],
  ],
  list_tasks: [
    ["a choice in another case", { status: "Open" }, { status: "open" }],
    ["truth values as text", { mine: "true", ready: "FALSE" }, { mine: true, ready: false }],
    ["no choice, said so", { status: "", ready: null }, {}],
  ],
  get_task: [["snake case", { task_id: "task_1" }, { taskId: "task_1" }]],
  add_task: [
    ["a list as JSON text", { title: "t", dependencies: '["task_1"]' }, { title: "t", dependencies: ["task_1"] }],
    ["one id for a list", { title: "t", dependencies: "task_1" }, { title: "t", dependencies: ["task_1"] }],
    ["none, said so", { title: "t", description: null, dependencies: "" }, { title: "t" }],
  ],
  claim_task: [
    ["no id, said so", { taskId: null }, {}],
    ["an empty id", { taskId: "" }, {}],
    ["snake case", { task_id: "task_1" }, { taskId: "task_1" }],
  ],
  report_progress: [
    ["a truth value as text", { taskId: "t", text: "x", blocker: "true" }, { taskId: "t", text: "x", blocker: true }],
    ["a number as text", { taskId: "t", text: 50 }, { taskId: "t", text: "50" }],
  ],
  finish_task: [
    ["a choice in another case", { taskId: "t", outcome: "DONE" }, { taskId: "t", outcome: "done" }],
    ["no note, said so", { taskId: "t", outcome: "", note: null }, { taskId: "t" }],
  ],
  ask_human: [
    ["a list as JSON text", { question: "q", options: '["yes","no"]' }, { question: "q", options: ["yes", "no"] }],
    [
      "truth values to choose from",
      { question: "q", options: [true, false] },
      { question: "q", options: ["true", "false"] },
    ],
    ["a choice in another case", { question: "q", urgency: "High" }, { question: "q", urgency: "high" }],
    [
      "snake case",
      { question: "q", expires_in_ms: "60000", wait_ms: 1 },
      { question: "q", expiresInMs: 60_000, waitMs: 1 },
    ],
    ["no options, said so", { question: "q", options: null }, { question: "q" }],
  ],
  check_question: [
    ["snake case", { question_id: "ask_1" }, { questionId: "ask_1" }],
    [
      "numbers and truth values as text",
      { questionId: "ask_1", waitMs: "5", cancel: "false" },
      { questionId: "ask_1", waitMs: 5, cancel: false },
    ],
  ],
};

const INTERCOM: Mistakes = {
  intercom_team: [["no cursor, said so", { cursor: null }, {}]],
  intercom_list: [["an empty cursor", { cursor: "" }, {}]],
  intercom_set_summary: [["another case", { Summary: "x" }, { summary: "x" }]],
  intercom_send: [["a number as text", { to: "ada", message: 1 }, { to: "ada", message: "1" }]],
  intercom_ask: [
    ["camel case", { to: "ada", message: "x", timeoutMs: 1000 }, { to: "ada", message: "x", timeout_ms: 1000 }],
    [
      "a number as text",
      { to: "ada", message: "x", timeout_ms: "1000" },
      { to: "ada", message: "x", timeout_ms: 1000 },
    ],
  ],
  intercom_reply: [
    ["every optional one empty", { message: "x", to: "", which: null }, { message: "x" }],
    [
      "a choice in another case",
      { message: "x", to: "ada", which: "Latest" },
      { message: "x", to: "ada", which: "latest" },
    ],
  ],
};

describe.each([
  { set: team, mistakes: TEAM },
  { set: intercom, mistakes: INTERCOM },
])("models' typical mistakes with $set.name", ({ set, mistakes }) => {
  const rows = set.tools.flatMap((tool) =>
    (mistakes[tool.name] ?? []).map((row) => [tool.name, ...row, tool] as const),
  );

  test.each(rows)("%s: %s", (_name, _what, given, meant, tool: Tool) => {
    expect(tool.read(given as Record<string, unknown>)).toEqual(meant);
  });

  test("every tool that takes arguments has some", () => {
    const without = set.tools.filter(({ inputSchema }) => Object.keys(inputSchema.properties).length === 0);
    const covered = new Set([...rows.map(([name]) => name), ...without.map(({ name }) => name)]);
    expect(set.tools.filter(({ name }) => !covered.has(name))).toEqual([]);
  });

  test.each(set.tools.map((tool) => [tool.name, tool] as const))(
    "%s refuses an argument it does not have",
    (_, tool) => {
      const known = Object.keys(tool.inputSchema.properties);
      const refuse = (name: string) => () => tool.read({ [name]: "x" });
      expect(refuse("colour")).toThrowError(`colour: unknown argument; expected ${known.join(", ") || "no arguments"}`);
      for (const name of known) expect(refuse(`${name}s`)).toThrowError(/; did you mean \w+\?$/);
    },
  );
});
