import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../faults/waiting-calls.ts";
import { makeWorld, type World } from "../support/fixtures.ts";
import { rawBytes, statusesOf } from "../support/raw.ts";
import { useDaemon } from "../support/use-daemon.ts";
import { until } from "../support/waiting.ts";
import { Witness } from "./witness.ts";

/** What goes over the wire is chosen to confuse, and meanwhile somebody else wants to be served. */

const waitingCalls = watchWaitingCalls();
const errors: unknown[] = [];
const error = (...entry: unknown[]) => void errors.push(entry);
const intercom = useDaemon({ logger: { debug: () => {}, info: () => {}, warn: () => {}, error } as never });
const sockets: Socket[] = [];
let world: World;
let witness: Witness;

beforeEach(async () => {
  world = await makeWorld(intercom());
  witness = await Witness.start(intercom());
});

afterEach(async () => {
  await witness.end();
  for (const socket of sockets.splice(0)) socket.destroy();
  expect(errors.splice(0)).toEqual([]);
  expect(await intercom().call("health", {})).toMatchObject({ status: "ready" });
  await until("nobody is left waiting", () => waitingCalls() === 0);
});

const CRLF = "\r\n";
const JSON_TYPE = "Content-Type: application/json";

function request(method: string, target: string, headers: readonly string[] = [], body = ""): string {
  const authorization = `Authorization: Bearer ${world.alice.token}`;
  return [`${method} ${target} HTTP/1.1`, "Host: localhost", authorization, ...headers, "", body].join(CRLF);
}

function addTask(title: string, ...headers: string[]): string {
  const body = JSON.stringify({ title });
  return request("POST", "/v1/tasks", [JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`, ...headers], body);
}

const titles = async () => (await world.scope.call("listTasks", {})).map(({ title }) => title);

/** A connection that does not read until it is told to. */
async function unread(bytes: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: intercom().port });
  sockets.push(socket);
  socket.on("error", () => {});
  socket.pause();
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const send = (bytes: string | Buffer) => rawBytes(intercom().port, bytes);

describe("two readings of where a request ends: it is refused, and the rest is not carried out", () => {
  const framings: readonly (readonly [string, readonly string[], string])[] = [
    ["a length and chunks", ["Content-Length: 6", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 6"], "0\r\n\r\n"],
    ["two lengths that differ", ["Content-Length: 2", "Content-Length: 0"], "{}"],
    ["two lengths in one", ["Content-Length: 2, 0"], "{}"],
    ["a length with a sign", ["Content-Length: +2"], "{}"],
    ["a length in hexadecimal", ["Content-Length: 0x2"], "{}"],
    ["a length with a blank in it", ["Content-Length: 0 2"], "{}"],
    ["no length where one should be", ["Content-Length:"], "{}"],
    ["a length that is folded", ["Content-Length: 0", " 2"], "{}"],
    ["a length before which there is a blank", ["Content-Length : 2"], "{}"],
    ["a coding nobody knows", ["Transfer-Encoding: xchunked"], "0\r\n\r\n"],
    ["chunks that are not last", ["Transfer-Encoding: chunked, identity"], "0\r\n\r\n"],
    ["chunks and then again none", ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], "0\r\n\r\n"],
    ["chunks before which there is a blank", ["Transfer-Encoding : chunked"], "0\r\n\r\n"],
    ["chunks after a control character", ["Transfer-Encoding: \u000bchunked"], "0\r\n\r\n"],
    ["chunks in a folded line", ["X: y", " Transfer-Encoding: chunked"], "0\r\n\r\n"],
    ["chunks after half a line end", ["X: y\rTransfer-Encoding: chunked"], "0\r\n\r\n"],
    ["a chunk size in C", ["Transfer-Encoding: chunked"], "0x0\r\n\r\n"],
    ["a chunk size with a sign", ["Transfer-Encoding: chunked"], "-1\r\n\r\n"],
    ["a chunk size beyond all bounds", ["Transfer-Encoding: chunked"], "fffffffffffffffff0\r\n\r\n"],
    ["a chunk that is longer than it says", ["Transfer-Encoding: chunked"], "1\r\n{}\r\n0\r\n\r\n"],
    ["a chunk extension without end", ["Transfer-Encoding: chunked"], `2;${"x".repeat(40_000)}\r\n{}\r\n0\r\n\r\n`],
  ];

  test.each(framings)("%s", async (_what, headers, body) => {
    const received = await send(request("POST", "/v1/me/retire", [JSON_TYPE, ...headers], body) + addTask("smuggled"));
    expect(statusesOf(received).filter((status) => status !== 400)).toEqual([]);
    expect(await titles()).toEqual([]);
    expect((await world.alice.call("whoAmI", {})).identity.agentId).toBe(world.alice.id);
  });
});

describe("what HTTP allows and few use", () => {
  test("chunk extensions and trailers, which are no headers", async () => {
    const body = `8;a=b;c="d"\r\n{"title"\r\n4\r\n:"x"\r\n1\r\n}\r\n0\r\nAuthorization: Bearer ${world.bob.token}\r\n\r\n`;
    const headers = [JSON_TYPE, "Transfer-Encoding: chunked", "Trailer: Authorization", "Connection: close"];
    expect(statusesOf(await send(request("POST", "/v1/tasks", headers, body)))).toEqual([201]);
    expect((await world.scope.call("listTasks", {}))[0]).toMatchObject({ title: "x", createdBy: world.alice.id });
  });

  test("empty lines before a request", async () => {
    expect(statusesOf(await send(`\r\n\r\n${addTask("x", "Connection: close")}`))).toEqual([201]);
  });

  test("to go on with a request only when told to", async () => {
    const body = '{"title":"x"}';
    const headers = [JSON_TYPE, `Content-Length: ${body.length}`, "Expect: 100-continue", "Connection: close"];
    expect(statusesOf(await send(request("POST", "/v1/tasks", headers, body)))).toEqual([100, 201]);
  });

  test("to be asked to change the protocol, which is not done", async () => {
    for (const protocol of ["websocket", "h2c", "TLS/1.0"]) {
      const headers = [
        `Upgrade: ${protocol}`,
        "Connection: Upgrade, HTTP2-Settings",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
      ];
      const received = await rawBytes(intercom().port, request("GET", "/v1/me", headers), (text) =>
        text.includes(world.alice.id),
      );
      expect(statusesOf(received), protocol).toEqual([200]);
    }
  });

  test("a question mark in a query, which is part of a value", async () => {
    const received = await send(request("GET", "/v1/me/messages?before=1?x", ["Connection: close"]));
    expect(statusesOf(received)).toEqual([400]);
    expect(received).toContain("before");
  });
});

describe("targets and methods", () => {
  test.each([
    ["OPTIONS", "*", [404]],
    ["GET", "*", [404]],
    ["GET", "http://localhost/v1/me", [404]],
    ["GET", "http://evil.example/v1/me", [404]],
    ["POST", "https://localhost:443/v1/tasks", [404]],
    ["GET", "x/v1/me", [400]],
    ["GET", "http:/v1/me", [400]],
    ["GET", "localhost:80", [400]],
    ["GET", "", [400]],
    ["TRACE", "/v1/me", [405]],
    ["PROPFIND", "/v1/me", [405]],
    ["get", "/v1/me", [400]],
    ["CONNECT", "localhost:80", []],
    ["CONNECT", "/v1/me", []],
    ["GET", "/v1/me\u0000", [400]],
    ["GET", "/v1/scope/agents/\u00ff\u00fe", [400]],
    ["GET", "/v1/scope/agents/%ff%fe", [400]],
    ["GET", "/v1/me#fragment", [404]],
    ["GET", "/v1/%6De", [404]],
    ["GET", "/v1/./me", [404]],
    ["GET", "/v1/scope/../me", [404]],
  ])("%s %j", async (method, target, statuses) => {
    const received = await send(
      Buffer.from(request(method, target, ["Connection: close", "X-Echo: marker"]), "latin1"),
    );
    expect(statusesOf(received)).toEqual(statuses);
    expect(received).not.toContain("marker");
    expect(received).not.toContain(world.alice.token);
  });

  test("the greeting of HTTP/2", async () => {
    expect(statusesOf(await send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004"))).toEqual([400]);
  });

  test("a request of the time before headers", async () => {
    // It names no host.
    expect(statusesOf(await send("GET /health\r\n\r\n"))).toEqual([403]);
  });
});

describe("header values that are not ASCII", () => {
  test.each([
    "Authorization: Bearer \u00ff\u00fe",
    "Intercom-Scope: \u00ff\u00fe",
    "Idempotency-Key: \u00ff\u00fe",
    "Content-Type: \u00ff",
    "Host: \u00ff",
    "Origin: \u00ff",
    "\u00ff: x",
  ])("%j", async (header) => {
    const bytes = Buffer.from(
      ["GET /v1/scope HTTP/1.1", header, "Host: localhost", "Connection: close", "", ""].join(CRLF),
      "latin1",
    );
    const statuses = statusesOf(await send(bytes));
    expect(statuses).toHaveLength(1);
    expect([400, 401, 403]).toContain(statuses[0]);
  });
});

describe("many requests at once on one connection", () => {
  test("valid and invalid ones are answered in their order, and none is lost", async () => {
    const count = 40;
    const expected: number[] = [];
    let bytes = "";
    for (let n = 0; n < count; n += 1) {
      bytes += addTask(`task ${n}`);
      bytes += request("POST", "/v1/tasks", [JSON_TYPE, "Content-Length: 5"], "{bad}");
      bytes += request("GET", "/nothing/here");
      bytes += request("GET", "/v1/me").replace(world.alice.token, "unknown");
      expected.push(201, 400, 404, 401);
    }
    const received = await send(bytes + request("GET", "/v1/me", ["Connection: close"]));
    expect(statusesOf(received)).toEqual([...expected, 200]);
    expect(await titles()).toEqual(Array.from({ length: count }, (_, n) => `task ${n}`));
  });

  test("what was accepted before the connection turned to noise is answered first", async () => {
    const received = await send(
      `${addTask("one")}${addTask("two")}\u0001\u0002\u0003 noise\r\n\r\n${addTask("never")}`,
    );
    expect(statusesOf(received)).toEqual([201, 201, 400]);
    expect(await titles()).toEqual(["one", "two"]);
  });

  test("one that waits keeps those behind it waiting, and is heard when they go", async () => {
    const wait = request("POST", "/v1/inbox/reserve", [JSON_TYPE, "Content-Length: 16"], '{"waitMs":20000}');
    const socket = await unread(wait + addTask("after the wait"));
    await until("it waits", () => waitingCalls() === 1);
    await witness.rounds(3);
    expect(await titles()).toEqual([]);
    await world.bob.tell(world.alice);
    await until("the one behind is carried out", async () => (await titles()).length === 1);
    socket.destroy();
  });
});

describe("connections that do nothing", () => {
  test("a thousand of them", async () => {
    const idle = await Promise.all(Array.from({ length: 1000 }, () => unread("")));
    const half = await Promise.all(Array.from({ length: 50 }, () => unread("POST /v1/tasks HTTP/1.1\r\nHost: local")));
    expect(idle.length + half.length).toBe(1050);
    await witness.rounds(20);
    expect(await world.bob.tell(world.alice)).toMatch(/^msg_/);
  });

  test("half closed ones: who stops sending has hung up, and takes nothing with it", async () => {
    const wait = request("POST", "/v1/inbox/reserve", [JSON_TYPE, "Content-Length: 16"], '{"waitMs":20000}');
    const socket = await unread(wait);
    await until("it waits", () => waitingCalls() === 1);
    socket.end();
    await until("it does not wait any more", () => waitingCalls() === 0);
    const id = await world.bob.tell(world.alice);
    expect((await world.alice.pull()).map((message) => message.id)).toEqual([id]);
  });
});

describe("a caller that never reads", () => {
  const MEBIBYTE = 1024 * 1024;
  /** Everything this process holds outside of the database. */
  const held = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };

  /** The most that is held more than before while `rounds` of the witness pass. */
  async function growth(before: number, rounds: number): Promise<number> {
    let most = 0;
    for (let n = 0; n < rounds; n += 1) {
      await witness.rounds(1);
      most = Math.max(most, held() - before);
    }
    return most;
  }

  test("of 60 large answers has one made for it at a time, and all of them once it reads", async () => {
    const body = "x".repeat(60_000);
    for (let n = 0; n < 50; n += 1) await world.alice.tell(world.bob, { body });
    const size = JSON.stringify(
      (await intercom().send("listMyMessages", {}, { token: world.alice.token })).body,
    ).length;
    expect(size).toBeGreaterThan(2.8 * MEBIBYTE);
    const before = held();
    const count = 60;
    const socket = await unread(request("GET", "/v1/me/messages?limit=50").repeat(count));
    // All of them together would be 170 MiB. One answer is text, its bytes, and rows not yet collected.
    expect(await growth(before, 20)).toBeLessThan(80 * MEBIBYTE);
    let received = 0;
    socket.on("data", (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await until("everything has come", () => received > count * size, 20_000);
  });

  test("of the event stream is sent no more than it takes, and is forgotten when it goes", async () => {
    const padding = JSON.stringify({ linkPolicy: "x".repeat(16_000) });
    intercom().sql((db) => {
      const { no } = db.prepare("SELECT no FROM scopes WHERE id = ?").get(world.scope.id) as { no: number };
      const insert = db.prepare(
        `INSERT INTO events (scope_no, revision, id, type, subject_id, attributes, created_at)
         VALUES (?, ?, ?, 'scope.policy_changed', 'x', ?, 0)`,
      );
      // Far from where the scope's own revisions are.
      for (let n = 0; n < 6000; n += 1) insert.run(no, 1_000_000 + n, `evt_${n}`, padding);
    });
    const before = held();
    const stream = request("GET", "/v1/admin/events?after=0").replace(world.alice.token, intercom().adminToken);
    const socket = await unread(stream);
    await until("it is followed", () => waitingCalls() === 1);
    // All of them would be 90 MiB; a batch is 1.6 of them.
    expect(await growth(before, 20)).toBeLessThan(60 * MEBIBYTE);
    socket.resetAndDestroy();
    await until("nobody follows any more", () => waitingCalls() === 0);
  });
});

test("a body that is too large is refused with words, however it comes", async () => {
  const body = `{"title":"${"x".repeat(3 * 1024 * 1024)}"}`;
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  for (const bytes of [
    request("POST", "/v1/tasks", [JSON_TYPE, `Content-Length: ${body.length}`], body),
    request("POST", "/v1/tasks", [JSON_TYPE, "Transfer-Encoding: chunked"], chunks),
  ]) {
    for (let n = 0; n < 10; n += 1) {
      const received = await send(bytes);
      expect(statusesOf(received)).toEqual([400]);
      expect(received).toContain("Request body exceeds 1 MiB");
    }
  }
  expect(await titles()).toEqual([]);
});
