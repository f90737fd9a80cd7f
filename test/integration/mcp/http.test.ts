import { beforeAll, describe, expect, test } from "vitest";
import type { AgentActor } from "../../support/actors.ts";
import { callTool, ERAS, type Era, MCP_CLIENTS, rpc, rpcRequest } from "../../support/mcp.ts";
import { rawBytes, rawRequest, statusesOf } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
let ada: AgentActor;

beforeAll(async () => {
  ada = await (await intercom().scope()).agent("ada", { leaseMs: 86_400_000 });
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Sends a request with ada's credential, with headers no client would let through if need be. */
async function ask({ method = "POST", path = "/mcp", headers = {}, body }: Sent) {
  const all = {
    Authorization: `Bearer ${ada.token}`,
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    ...headers,
  };
  const answer = await rawRequest(intercom().port, {
    method,
    path,
    headers: all,
    ...(body === undefined ? {} : { body }),
  });
  return { ...answer, body: answer.text === "" ? undefined : JSON.parse(answer.text) };
}

function listTools(era: Era, headers: Record<string, string> = {}) {
  const request = rpcRequest(era, "tools/list");
  return ask({ headers: { ...request.headers, ...headers }, body: request.body });
}

describe.each(ERAS)("%s", (era) => {
  test("is answered with one plain JSON value that nobody may keep", async () => {
    const { status, headers } = await listTools(era);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    expect(headers["mcp-session-id"]).toBeUndefined();
  });

  test.each(["evil.example", "127.0.0.1.nip.io", "[::2]"])("is not reached under the name %s", async (host) => {
    const error = { code: "PERMISSION_DENIED", details: { reason: "host" } };
    expect(await listTools(era, { Host: host })).toMatchObject({ status: 403, body: { ok: false, error } });
  });

  test.each(["https://evil.example", "null", "http://localhost"])(
    "is not reached from a page of %s",
    async (origin) => {
      const error = { code: "PERMISSION_DENIED", details: { reason: "origin" } };
      expect(await listTools(era, { Origin: origin })).toMatchObject({ status: 403, body: { ok: false, error } });
    },
  );

  test.each(["localhost", "LOCALHOST:4766", "[::1]", "127.9.9.9"])("is reached under the name %s", async (host) => {
    expect((await listTools(era, { Host: host })).status).toBe(200);
  });

  test("is refused to a client that does not take what the protocol may send", async () => {
    const answer = await listTools(era, { Accept: "text/html" });
    expect([200, 406]).toContain(answer.status);
  });

  test("a notification is taken without an answer", async () => {
    const request = rpcRequest(era, "notifications/initialized");
    const { id: _, ...message } = JSON.parse(request.body);
    const answer = await ask({ headers: request.headers, body: JSON.stringify(message) });
    expect(answer).toMatchObject({ status: 202, body: undefined });
  });

  test("arguments nested beyond reason are refused, not followed", async () => {
    const depth = 400_000;
    const deep = "[".repeat(depth) + "]".repeat(depth);
    for (const [name, args] of [
      ["add_task", `{"title":${deep}}`],
      ["send_message", `{"to":"bob","text":"m","context":${deep}}`],
      ["send_message", `{"to":"bob","text":"m","context":${JSON.stringify("[".repeat(depth))}}`],
      ["acknowledge_messages", `{"messageIds":${JSON.stringify(deep)}}`],
    ] as const) {
      const request = rpcRequest(era, "tools/call", { name, arguments: "ARGUMENTS" });
      const body = request.body.replace('"ARGUMENTS"', args);
      const answer = await ask({ headers: request.headers, body });
      expect(answer.status).toBe(200);
      expect(answer.body.result).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "INVALID_ARGUMENT" } },
      });
    }
  });

  test("the largest body is taken, one byte more is not", async () => {
    const limit = 1024 * 1024;
    const request = rpcRequest(era, "tools/call", { name: "add_task", arguments: { title: "" } });
    const fill = (size: number) =>
      request.body.replace('"title":""', `"title":"${"x".repeat(size - request.body.length)}"`);
    const largest = await ask({ headers: request.headers, body: fill(limit) });
    expect(largest.body.result.structuredContent.error.message).toContain("title: expected 1 to 256 bytes");
    const announced = { ...request.headers, "Content-Length": String(limit + 1) };
    const tooLarge = await ask({ headers: announced });
    expect(tooLarge).toMatchObject({ status: 413, body: { jsonrpc: "2.0", id: null, error: { code: -32000 } } });
    const chunked = { ...request.headers, "Transfer-Encoding": "chunked" };
    expect((await ask({ headers: chunked, body: fill(limit + 1) })).status).toBe(413);
  });
});

describe("what is no MCP message", () => {
  const rpcError = (code: number) => ({ jsonrpc: "2.0", id: null, error: { code, message: expect.any(String) } });

  test.each<[string, Sent, number, number]>([
    ["nothing", { body: "" }, 400, -32700],
    ["half an object", { body: "{" }, 400, -32700],
    ["two values", { body: "{}{}" }, 400, -32700],
    ["bytes that are not UTF-8", { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, -32700],
    ["a number", { body: "42" }, 400, -32600],
    ["null", { body: "null" }, 400, -32600],
    ["another object", { body: '{"hello":1}' }, 400, -32600],
    ["no batch at all", { body: "[]" }, 400, -32600],
    ["another type", { headers: { "Content-Type": "text/plain" }, body: "{}" }, 415, -32000],
    ["a form", { headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "a=b" }, 415, -32000],
  ])("%s", async (_, sent, status, code) => {
    expect(await ask(sent)).toMatchObject({ status, body: rpcError(code) });
  });

  test("a version nobody speaks is refused with those that are spoken", async () => {
    const answer = await listTools("2026-07-28", { "MCP-Protocol-Version": "1999-01-01" });
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBeLessThan(0);
  });

  test("a header that contradicts the body is refused", async () => {
    const answer = await listTools("2026-07-28", { "Mcp-Method": "tools/call" });
    expect(answer).toMatchObject({ status: 400, body: { id: 1, error: { code: -32020 } } });
  });

  test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS"])("%s is not a method of it", async (method) => {
    const answer = await ask({ method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "POST" }, body: { ok: false } });
  });

  test.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
    "/mcp/.well-known/openid-configuration",
    "/register",
    "/mcp/",
    "/sse",
  ])("%s is a plain 404", async (path) => {
    const answer = await ask({ method: "GET", path });
    expect(answer).toMatchObject({ status: 404, body: { ok: false, error: { code: "NOT_FOUND" } } });
    expect(answer.headers["content-type"]).toBe("application/json");
  });

  test("a body that stops half way leaves the daemon as it was", async () => {
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\n`;
    await rawBytes(intercom().port, `${head}Content-Length: 100\r\n\r\n{"jsonrpc"`, () => false, true);
    expect((await listTools("2025-11-25")).status).toBe(200);
  });
});

test("one connection serves calls one after another, right and wrong", async () => {
  const { body } = rpcRequest("2025-11-25", "ping");
  const request = (token: string, text: string) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
    `Accept: application/json, text/event-stream\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  const all = [request(ada.token, body), request("nobody", body), request(ada.token, "{"), request(ada.token, body)];
  const received = await rawBytes(intercom().port, all.join(""), (text) => statusesOf(text).length === 4);
  expect(statusesOf(received)).toEqual([200, 401, 400, 200]);
});

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"])(
  "a client of %s gets its version",
  async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: "a", method: "initialize", params });
    const answer = await ask({ body });
    expect(answer.body).toMatchObject({ id: "a", result: { protocolVersion: version, capabilities: { tools: {} } } });
  },
);

test("calls in a batch, as the oldest clients send them, are answered in a batch", async () => {
  const call = (id: number, name: string) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name } });
  const body = JSON.stringify([call(1, "whoami"), call(2, "list_tasks")]);
  const answer = await ask({ headers: { "MCP-Protocol-Version": "2025-03-26" }, body });
  expect(answer.body).toMatchObject([{ id: 1 }, { id: 2, result: { structuredContent: { tasks: [] } } }]);
});

test("a list may be kept for a while, by whoever asked for it", async () => {
  const { body } = await rpc(intercom().address, "2026-07-28", "tools/list", {}, { token: ada.token });
  expect(body).toMatchObject({ result: { ttlMs: expect.any(Number), cacheScope: "private", resultType: "complete" } });
});

test("streams of news are not offered", async () => {
  const params = { notifications: { toolsListChanged: true } };
  const { status, body } = await rpc(intercom().address, "2026-07-28", "subscriptions/listen", params, {
    token: ada.token,
  });
  expect({ status, body }).toMatchObject({ status: 200, body: { id: 1, error: { code: -32603 } } });
});

test("many calls at once, of all kinds of clients, are each answered once", async () => {
  const scope = await intercom().scope();
  const eve = await scope.agent("eve");
  const clients = await Promise.all(MCP_CLIENTS.map(({ connect }) => connect(intercom().address, eve.token)));
  const titles = Array.from({ length: 120 }, (_, index) => `task ${index}`);
  const added = await Promise.all(
    titles.map(async (title, index) => {
      const client = clients[index % clients.length];
      const answer = client
        ? await client.call("add_task", { title })
        : await callTool(intercom().address, "2026-07-28", "add_task", { title }, { token: eve.token });
      return (answer.structured.task as { title: string }).title;
    }),
  );
  expect(added).toEqual(titles);
  const tasks = await scope.call("listTasks", {});
  expect(tasks.map(({ title }) => title).sort()).toEqual([...titles].sort());
  await Promise.all(clients.map((client) => client.close()));
});
