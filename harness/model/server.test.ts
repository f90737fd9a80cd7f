import { request as httpRequest } from "node:http";
import { zstdCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { latestResults, notesOf, ourTools, userOf } from "./request.ts";
import { calls, type Rule, says } from "./script.ts";
import { type ScriptedModel, startScriptedModel } from "./server.ts";

let model: ScriptedModel;
afterEach(() => model.close());

async function start(...rules: readonly Rule[]): Promise<void> {
  model = await startScriptedModel({ rules }, { server: "intercom" });
}

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${model.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The data of a stream of events. */
async function events(response: Response): Promise<Record<string, unknown>[]> {
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  return [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data as string));
}

const SCHEMA = { type: "object", properties: { to: { type: "string" } } };
const TOOL = { description: "Sends.", parameters: SCHEMA };
const ARGUMENTS = { to: "bob" };
const AFTER = '{"id":"msg_1"}';

/** The same conversation in each interface: the person speaks, a tool is called, and it answers. */
const APIS = [
  {
    path: "/v1/responses",
    first: {
      model: "m",
      instructions: "Be brief.",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }],
      tools: [
        { type: "namespace", name: "mcp__intercom", tools: [{ type: "function", name: "send_message", ...TOOL }] },
        { type: "web_search" },
      ],
    },
    call: {
      output: [{ type: "function_call", name: "send_message", namespace: "mcp__intercom", arguments: '{"to":"bob"}' }],
    },
    more: [
      { type: "function_call", call_id: "c", name: "send_message", namespace: "mcp__intercom", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: AFTER },
    ],
    last: { output: [{ type: "message", content: [{ type: "output_text", text: "sent msg_1" }] }] },
    list: "input",
    streamed: { type: "response.completed", response: { status: "completed" } },
  },
  {
    path: "/v1/chat/completions",
    first: {
      model: "m",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "go" }] },
      ],
      tools: [{ type: "function", function: { name: "intercom_send_message", ...TOOL } }],
    },
    call: {
      choices: [
        {
          finish_reason: "tool_calls",
          message: { tool_calls: [{ function: { name: "intercom_send_message", arguments: '{"to":"bob"}' } }] },
        },
      ],
    },
    more: [
      { role: "assistant", content: null, tool_calls: [{ id: "c", function: { name: "intercom_send_message" } }] },
      { role: "tool", tool_call_id: "c", content: AFTER },
    ],
    last: { choices: [{ finish_reason: "stop", message: { content: "sent msg_1" } }] },
    list: "messages",
    streamed: { object: "chat.completion.chunk", choices: [{ delta: {}, finish_reason: "tool_calls" }] },
  },
  {
    path: "/v1/messages",
    first: {
      model: "m",
      system: [{ type: "text", text: "Be brief." }],
      messages: [{ role: "user", content: "go" }],
      tools: [{ name: "mcp__intercom__send_message", description: "Sends.", input_schema: SCHEMA }],
    },
    call: {
      stop_reason: "tool_use",
      content: [{ type: "tool_use", name: "mcp__intercom__send_message", input: ARGUMENTS }],
    },
    more: [
      { role: "assistant", content: [{ type: "tool_use", id: "c", name: "mcp__intercom__send_message", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: AFTER }] }] },
    ],
    last: { stop_reason: "end_turn", content: [{ type: "text", text: "sent msg_1" }] },
    list: "messages",
    streamed: { type: "message_stop" },
  },
] as const;

describe.each(APIS)("a conversation over $path", ({ path, first, call, more, last, list, streamed }) => {
  const second = { ...first, [list]: [...((first as unknown as Record<string, object[]>)[list] as object[]), ...more] };

  it("is understood and answered", async () => {
    await start(calls("send_message", ARGUMENTS), says("sent {{result.id}}"));
    expect(await (await post(path, first)).json()).toMatchObject(call);
    expect(await (await post(path, second)).json()).toMatchObject(last);
    const [before, after] = model.exchanges.map(({ request }) => request);
    if (!before || !after) throw new Error("Two requests were made");
    expect([notesOf(before), userOf(before), latestResults(before)]).toEqual(["Be brief.", "go", []]);
    expect(ourTools(before, "intercom")).toMatchObject([
      { name: "send_message", description: "Sends.", schema: SCHEMA },
    ]);
    expect([userOf(after), latestResults(after)]).toMatchObject(["go", [{ text: AFTER }]]);
    expect(model.problems).toEqual([]);
  });

  it("is streamed when that is asked for, ending as it should", async () => {
    await start(calls("send_message", ARGUMENTS));
    const pieces = await events(await post(path, { ...first, stream: true }));
    expect(pieces.at(-1)).toMatchObject(streamed);
    expect(JSON.stringify(pieces)).toContain("bob");
  });

  it("is answered on the side when no tools are offered, without a step of the script", async () => {
    await start(says("the first step"));
    const { tools: _, ...aside } = first;
    expect(JSON.stringify(await (await post(path, aside)).json())).toContain("Untitled");
    expect(model.exchanges).toEqual([]);
  });
});

describe("the server", () => {
  it("knows the small requests of programs, with and without the version in the path", async () => {
    await start();
    expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${model.url}/models`)).status).toBe(200);
    expect(await (await post("/v1/messages/count_tokens", {})).json()).toEqual({ input_tokens: 1 });
    expect((await fetch(`${model.url}/v1/nothing`)).status).toBe(404);
  });

  it("reads compressed requests, and says what it could not read", async () => {
    await start(says("done"));
    const [, chat] = APIS;
    const body = new Uint8Array(zstdCompressSync(JSON.stringify(chat.first)));
    const headers = { "Content-Encoding": "zstd" };
    expect((await fetch(`${model.url}${chat.path}`, { method: "POST", headers, body })).status).toBe(200);
    expect((await post(chat.path, { model: "m" })).status).toBe(400);
    expect(model.problems).toEqual([expect.stringContaining("messages")]);
  });

  it("fails as a provider does", async () => {
    await start({ answer: { status: 529 } });
    expect((await post(APIS[2].path, APIS[2].first)).status).toBe(529);
  });

  it("refuses to be a way out, and notes who was asked for", async () => {
    await start();
    const { port } = new URL(model.url);
    const outcome = (options: object) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = httpRequest({ host: "127.0.0.1", port, ...options }, ({ statusCode }) => resolve(statusCode));
        asked.once("connect", ({ statusCode }) => resolve(statusCode)).once("error", reject);
        asked.end();
      });
    expect(await outcome({ method: "CONNECT", path: "updates.example:443" })).toBe(403);
    expect(await outcome({ path: "http://plain.example/x" })).toBe(403);
    expect(model.strangers).toEqual(["updates.example:443", "plain.example"]);
  });
});
