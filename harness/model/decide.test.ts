import { describe, expect, it } from "vitest";
import { type Decision, Player } from "./decide.ts";
import type { ModelRequest, OfferedTool, ShownResult } from "./request.ts";
import { type Condition, calls, type Rule, says } from "./script.ts";

const OFFERED: readonly (readonly OfferedTool[])[] = [
  [{ name: "send_message", namespace: "mcp__intercom" }, { name: "send_message" }],
  [{ name: "intercom_send_message" }],
  [{ name: "mcp__intercom__send_message" }, { name: "mcp__other__send_message" }],
];

/** A request in which the person said `user`, and tools have answered since. */
function request(user: string, results: readonly ShownResult[] = [], tools = OFFERED[0] ?? []): ModelRequest {
  const turns = [
    { role: "note", text: "Be brief.", results: [] },
    { role: "user", text: user, results: [] },
    ...results.flatMap((result) => [
      { role: "assistant", text: "", results: [] } as const,
      { role: "user", text: "", results: [result] } as const,
    ]),
  ] as const;
  return { api: "chat", stream: false, model: "m", turns, tools };
}

function decide(rules: readonly Rule[], ...requests: readonly ModelRequest[]): Decision[] {
  const player = new Player({ rules }, "intercom");
  return requests.map((each) => player.decide(each));
}

const inbox = (text: string): ShownResult => ({ name: "check_inbox", namespace: "mcp__intercom", text });

describe("the tools of a script", () => {
  it.each(OFFERED)("are found behind the prefix of each program: %j", (...tools) => {
    const [decision] = decide([calls("send_message", { to: "bob" })], request("go", [], tools));
    expect(decision?.calls).toEqual([{ tool: tools[0], arguments: { to: "bob" } }]);
  });

  it("are never taken from somebody else who has one of that name", () => {
    const [decision] = decide([calls("send_message")], request("go", [], [{ name: "send_message" }]));
    expect(decision).toMatchObject({ calls: [], problem: "No tool send_message is on offer" });
  });
});

describe("the rules of a script", () => {
  it("are steps in their order, each used as often as it says", () => {
    const rules = [{ ...says("one"), times: 2 }, says("two")];
    const said = decide(rules, request("a"), request("b"), request("c"), request("d"));
    expect(said.map(({ text }) => text)).toEqual(["one", "one", "two", "The script cannot go on. No rule fits."]);
    expect(said[3]?.problem).toBe("No rule fits");
  });

  it.each<[Condition, ModelRequest, boolean]>([
    [{ user: "LOOK.*around" }, request("please look\naround"), true],
    [{ user: "listen" }, request("please look"), false],
    [{ result: "hello" }, request("go", [inbox("Hello")]), true],
    [{ result: "hello" }, request("go", [inbox("Hello"), inbox("")]), false],
    [{ result: "" }, request("go"), false],
    [{ afterTool: "check_inbox" }, request("go", [inbox("{}")]), true],
    [{ afterTool: "inbox" }, request("go", [inbox("{}")]), false],
    [{ offers: "send_message" }, request("go"), true],
    [{ offers: "message" }, request("go"), false],
    [{ user: "go", result: "x" }, request("go", [inbox("x")]), true],
    [{ user: "go", result: "y" }, request("go", [inbox("x")]), false],
  ])("fit when all that they ask for holds: %j", (when, given, fits) => {
    const [decision] = decide([{ ...says("fits"), when }], given);
    expect(decision?.text === "fits").toBe(fits);
  });

  it("can fail as a provider does", () => {
    expect(decide([{ answer: { status: 529 } }], request("go"))).toEqual([{ calls: [], status: 529 }]);
  });
});

describe("placeholders", () => {
  const results = [
    inbox('{"messages":[{"id":"msg_1","n":7}]}'),
    { name: "x", text: 'Wall time: 1 s\nOutput:\n{"taskId":"t"}' },
  ];

  it.each<[unknown, unknown]>([
    ["{{result.taskId}}", "t"],
    ["<{{check_inbox.messages.0.id}}|{{check_inbox.messages.0.n}}>", "<msg_1|7>"],
    ["{{check_inbox.messages.0.n}}", 7],
    [["{{check_inbox.messages}}"], [[{ id: "msg_1", n: 7 }]]],
    ["{{user:call it (\\w+)}}", "Fritz"],
    ["{{user:please}}", "please"],
    [
      { a: { b: "{{result.taskId}}" }, c: 1, d: null },
      { a: { b: "t" }, c: 1, d: null },
    ],
  ])("%j", (value, expected) => {
    const [decision] = decide([calls("send_message", { value })], request("please call it Fritz", results));
    expect(decision?.calls[0]?.arguments).toEqual({ value: expected });
  });

  it.each(["{{result.nope}}", "{{check_inbox.messages.3.id}}", "{{other.id}}", "{{user:nope}}"])(
    "%s stands for nothing, which ends the script",
    (text) => {
      const [decision] = decide([says(text)], request("please", results));
      expect(decision?.problem).toBe(`Nothing is there for ${text}`);
    },
  );
});
