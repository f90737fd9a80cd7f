import { beforeAll, describe, expect, test } from "vitest";
import type { AgentActor, ScopeActor } from "../../support/actors.ts";
import { callTool, ERAS, MCP_CLIENTS, rpc } from "../../support/mcp.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
const BUS = "?tools=bus";

describe.each(ERAS)("%s", (era) => {
  let scope: ScopeActor;
  let ada: AgentActor;
  beforeAll(async () => {
    scope = await intercom().scope();
    [ada] = await scope.agents("ada", "bob");
    for (const id of ["twin-1", "twin-2"]) await scope.agent(id, { displayName: "Twin", connectTo: ["ada"] });
    await scope.agent("stranger", { displayName: "Stranger" });
  });

  /** A tool call that must fail: structured content and text carry the same code and sentence. */
  async function failure(name: string, args: Record<string, unknown>) {
    const answer = await callTool(intercom().address, era, name, args, { token: ada.token, query: BUS });
    expect(answer.isError).toBe(true);
    const { error, ...others } = answer.structured as { error: { code: string; message: string; details?: object } };
    expect(others).toEqual({});
    expect(answer.text.startsWith(`${error.code}: ${error.message}`)).toBe(true);
    return { ...error, text: answer.text };
  }

  test.each([
    ["an unknown argument", "add_task", { title: "t", owner: "me" }, "owner: unknown field; expected title"],
    ["an argument where none is expected", "list_peers", { all: true }, "all: unknown field; expected no fields"],
    ["a missing argument", "message_peer", { peer: "bob" }, "message: is required"],
    ["a wrong type", "claim_task", { taskId: 7 }, "taskId: expected an identifier"],
    ["a wait that is too long", "check_inbox", { waitMs: 25_001 }, "waitMs: expected a whole number from 0 to 25000"],
    [
      "text that is too long",
      "add_task",
      { title: "x".repeat(257) },
      "title: expected 1 to 256 bytes of text, got 257",
    ],
    [
      "a wrong choice",
      "add_task_progress",
      { taskId: "t", kind: "joke", text: "x" },
      "kind: expected one of progress,",
    ],
    ["a text where a list is expected", "acknowledge_messages", { messageIds: "msg_1" }, "messageIds: expected a list"],
    ["one option", "ask_user", { question: "q", options: ["a"] }, "options: expected no options, or 2 to 4"],
    ["null as a value", "publish_output", { streamId: "s", contentType: "text/plain", value: null }, "value: expected"],
    [
      "a name in an answer",
      "message_peer",
      { peer: "B ob", message: "m", mode: "response", responseTo: "x" },
      "peer: ",
    ],
    [
      "an answer to nothing",
      "message_peer",
      { peer: "bob", message: "m", mode: "response" },
      "responseTo: is required",
    ],
  ])("%s is named", async (_, name, args, message) => {
    const error = await failure(name, args);
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message.startsWith(message), error.message).toBe(true);
  });

  test("a peer nobody is called, and one who is no peer, sound the same and name the way out", async () => {
    for (const peer of ["nobody", "stranger", "Stranger"]) {
      const error = await failure("message_peer", { peer, message: "m" });
      expect(error).toMatchObject({
        code: "NOT_FOUND",
        message: `peer: no peer has the id or display name "${peer}"`,
        text: expect.stringContaining("list_peers"),
      });
    }
  });

  test("a name two peers share is refused with their ids", async () => {
    expect(await failure("message_peer", { peer: "twin", message: "m" })).toMatchObject({
      code: "CONFLICT",
      message: 'peer: several peers are called "twin": twin-1, twin-2',
      details: { ids: ["twin-1", "twin-2"] },
    });
  });

  test("an id wins over a display name", async () => {
    await scope.agent("named-bob", { displayName: "bob", connectTo: ["ada"] });
    const { structured } = await callTool(
      intercom().address,
      era,
      "message_peer",
      { peer: "bob", message: "to the one with this id" },
      { token: ada.token, query: BUS },
    );
    const message = await scope.call("getMessage", { messageId: structured.messageId as string });
    expect(message.to).toBe("bob");
    await scope.call("removeAgent", { agentId: "named-bob" });
  });

  test("a key used for another message is a conflict, and nothing is sent", async () => {
    const args = { peer: "bob", message: "one", idempotencyKey: `key of ${era}` };
    const { structured } = await callTool(intercom().address, era, "message_peer", args, {
      token: ada.token,
      query: BUS,
    });
    const error = await failure("message_peer", { ...args, message: "another" });
    expect(error).toMatchObject({ code: "CONFLICT", details: { messageId: structured.messageId } });
  });

  test("a task that cannot be claimed says which can", async () => {
    const first = await scope.call("addTask", { title: "first" });
    const second = await scope.call("addTask", { title: "second", dependencies: [first.id] });
    const blocked = await failure("claim_task", { taskId: second.id });
    expect(blocked).toMatchObject({ code: "CONFLICT", text: expect.stringContaining("list_tasks") });
    const unclaimed = await failure("complete_task", { taskId: first.id });
    expect(unclaimed).toMatchObject({ code: "CONFLICT", text: expect.stringContaining("claim_task") });
    expect(await failure("claim_task", { taskId: "task_none" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("publishing without being a publisher names who can change that", async () => {
    const { id } = await scope.call("createOutputStream", { name: `stream-${era}` });
    expect(await failure("publish_output", { streamId: id, contentType: "text/plain", value: "x" })).toMatchObject({
      code: "PERMISSION_DENIED",
      text: expect.stringContaining("owner"),
    });
  });

  test("a tool that does not exist is an error of the protocol", async () => {
    const { body } = await rpc(
      intercom().address,
      era,
      "tools/call",
      { name: "shutdown" },
      { token: ada.token, query: BUS },
    );
    expect(body).toMatchObject({ id: 1, error: { code: -32602, message: 'Unknown tool "shutdown"' } });
  });

  test("a method that does not exist is, too", async () => {
    const { body, status } = await rpc(intercom().address, era, "prompts/list", {}, { token: ada.token, query: BUS });
    expect(body).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(status).toBe(era === "2026-07-28" ? 404 : 200);
  });

  test("arguments that are no object are refused without a crash", async () => {
    const params = { name: "list_peers", arguments: ["x"] };
    const { body, status } = await rpc(intercom().address, era, "tools/call", params, { token: ada.token, query: BUS });
    expect(status).toBeLessThan(500);
    expect(body).toMatchObject({ error: { code: -32602 } });
  });

  test("only known tool sets are served, by their name or by default", async () => {
    const address = intercom().address;
    const token = ada.token;
    const { body } = await rpc(address, era, "tools/list", {}, { token });
    expect((await rpc(address, era, "tools/list", {}, { token, query: "?tools=team" })).body).toEqual(body);
    for (const [query, field] of [
      ["?tools=all", "tools"],
      ["?tools=", "tools"],
      ["?tools=bus&tools=bus", "tools"],
      ["?tool=bus", "tool"],
    ] as const) {
      const answer = await rpc(address, era, "tools/list", {}, { token, query });
      const message = expect.stringMatching(`^${field}: `);
      expect(answer).toMatchObject({ status: 400, body: { ok: false, error: { code: "INVALID_ARGUMENT", message } } });
    }
  });
});

describe.each(MCP_CLIENTS)("$make", ({ connect }) => {
  test("hands a failed call to the model, having checked it against the schema", async () => {
    const scope = await intercom().scope();
    const client = await connect(intercom().address, (await scope.agent("ada")).token, BUS);
    await client.tools();
    const answer = await client.call("claim_task", { taskId: "task_none" });
    expect(answer).toMatchObject({ isError: true, structured: { error: { code: "NOT_FOUND" } } });
    expect(answer.text).toContain("list_tasks");
    await client.close();
  });
});
