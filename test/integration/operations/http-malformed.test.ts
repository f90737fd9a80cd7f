import { once } from "node:events";
import { createConnection } from "node:net";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../../support/fixtures.ts";
import { exchange } from "../../support/http.ts";
import { rawBytes, rawRequest, statusesOf } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

/** Whatever comes over the wire, the daemon stays well and never says that it is its own fault. */

const errors: unknown[] = [];
const intercom = useDaemon({
  logger: {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (...entry: unknown[]) => errors.push(entry),
  } as never,
});
let world: World;
let before: number;

beforeAll(async () => {
  world = await makeWorld(intercom());
  before = await world.scope.revision();
});

afterEach(async () => {
  expect(errors.splice(0)).toEqual([]);
  expect(await intercom().call("health", {})).toMatchObject({ status: "ready" });
  expect(await world.scope.revision()).toBe(before);
});

const CRLF = "\r\n";
const head = (lines: readonly string[]) =>
  [`POST /v1/tasks HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${world.alice.token}`, ...lines, "", ""].join(
    CRLF,
  );
const json = "Content-Type: application/json";

/** Sends bytes and gives the status codes that came back; none when the connection was simply closed. */
const statuses = async (bytes: string | Buffer, halfClose = false) => {
  const received = await rawBytes(intercom().port, bytes, (text) => text.includes(CRLF + CRLF), halfClose);
  for (const status of statusesOf(received)) expect(status).toBeLessThan(500);
  return statusesOf(received);
};

describe("requests that are not HTTP", () => {
  test.each([
    ["noise", "hello\r\n\r\n"],
    ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n"],
    ["another protocol", "SSH-2.0-OpenSSH_9.9\r\n\r\n"],
    ["a method nobody knows", "BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a version nobody knows", "GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n"],
    ["a header without name", "GET /health HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n"],
    ["a header with NUL", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\u0000b\r\n\r\n"],
    ["a path with a blank", "GET /health now HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ])("%s", async (_what, bytes) => {
    expect(await statuses(Buffer.from(bytes, "latin1"))).toEqual([400]);
  });

  test("get an answer in the form of all others", async () => {
    const received = await rawBytes(intercom().port, "hello\r\n\r\n");
    expect(received).toContain("Content-Type: application/json\r\nCache-Control: no-store\r\n");
    expect(JSON.parse(received.split(CRLF + CRLF)[1] ?? "")).toEqual({
      ok: false,
      error: { code: "INVALID_ARGUMENT", message: "The request is not well-formed HTTP" },
    });
  });
});

describe("headers", () => {
  test("that are huge", async () => {
    expect(await statuses(`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(100_000)}\r\n\r\n`)).toEqual([
      400,
    ]);
  });

  test("that are many", async () => {
    const many = Array.from({ length: 5000 }, (_, index) => `X-${index}: y`).join(CRLF);
    expect((await statuses(`GET /health HTTP/1.1\r\nHost: localhost\r\n${many}\r\n\r\n`))[0]).toBeLessThan(500);
  });

  test("a path that is huge", async () => {
    const [status = 400] = await statuses(`GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect([400, 404, 414]).toContain(status);
  });
});

describe("the length of a body", () => {
  test("a negative one, a word, and two that differ", async () => {
    expect(await statuses(`${head([json, "Content-Length: -1"])}{}`)).toEqual([400]);
    expect(await statuses(`${head([json, "Content-Length: many"])}{}`)).toEqual([400]);
    expect(await statuses(`${head([json, "Content-Length: 2", "Content-Length: 3"])}{}`)).toEqual([400]);
    expect(await statuses(`${head([json, "Content-Length: 2", "Transfer-Encoding: chunked"])}{}`)).toEqual([400]);
  });

  test("too short: the rest is taken for a request of its own", async () => {
    const received = await rawBytes(intercom().port, `${head([json, "Content-Length: 2"])}{}{"title":"x"}\r\n\r\n`);
    expect(new Set(statusesOf(received))).toEqual(new Set([400]));
  });

  test("too long: the caller hangs up before the end", async () => {
    await statuses(`${head([json, "Content-Length: 100"])}{"title":"x"}`, true);
  });

  test("chunks that are not", async () => {
    expect(await statuses(`${head([json, "Transfer-Encoding: chunked"])}zz\r\n{}\r\n0\r\n\r\n`)).toEqual([400]);
  });

  test("a gigantic one is refused before it comes", async () => {
    expect(await statuses(head([json, "Content-Length: 99999999999"]))).toEqual([400]);
  });
});

test("a body that stops coming holds nobody else up", async () => {
  const socket = createConnection({ host: "127.0.0.1", port: intercom().port });
  socket.write(`${head([json, "Content-Length: 50"])}{"title":`);
  await once(socket, "connect");
  expect((await world.bob.call("whoAmI", {})).agent.id).toBe(world.bob.id);
  expect(socket.bytesRead).toBe(0);
  socket.destroy();
});

test("requests on one connection are answered in their order", async () => {
  const one = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const received = await rawBytes(
    intercom().port,
    one("/health/live") +
      one("/nothing") +
      one("/v1/me") +
      one("/health").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
  );
  expect(statusesOf(received)).toEqual([200, 404, 401, 200]);
});

describe("JSON with an edge", () => {
  const post = (body: string | Buffer, path = "/v1/tasks") =>
    rawRequest(intercom().port, {
      method: "POST",
      path,
      headers: { Authorization: `Bearer ${world.alice.token}`, "Content-Type": "application/json" },
      body,
    });

  test.each(["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"])(
    "an unknown key %s",
    async (key) => {
      for (const value of ["{}", '{"title":"x"}', "1", "null"]) {
        const answer = await post(`{"title":"x","${key}":${value}}`);
        expect(answer.status, value).toBe(400);
        expect(JSON.parse(answer.text).error.message, value).toMatch(new RegExp(`^${key}: unknown field`));
      }
      expect(Object.getOwnPropertyNames({})).toEqual([]);
      expect(({} as { title?: string }).title).toBeUndefined();
    },
  );

  test.each(["__proto__", "constructor"])("an unknown key %s further down", async (key) => {
    const context = `[{"kind":"text","title":"t","${key}":{"text":"x"}}]`;
    const answer = await post(`{"to":"${world.bob.id}","body":"b","context":${context}}`, "/v1/messages");
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).error.message).toMatch(new RegExp(`^context\\.0\\.${key}: unknown field`));
  });

  test("nested very deeply", async () => {
    const depth = 200_000;
    for (const body of [
      `{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`,
      `{"title":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`,
      `{"title":${"[".repeat(depth)}`,
    ]) {
      expect((await post(body)).status).toBe(400);
    }
  });

  test("a key given twice: the last one counts", async () => {
    expect((await post('{"title":"x","title":1}')).status).toBe(400);
  });

  test("numbers beyond all bounds", async () => {
    for (const number of ["1e999", "-1e999", "9007199254740993", "1e-400"]) {
      const answer = await post(`{"displayName":"x","leaseMs":${number}}`, "/v1/agents");
      // The agent may not register anybody, so the question of the number does not come up.
      expect(answer.status).toBe(403);
      expect((await post(`{"waitMs":${number}}`, "/v1/inbox/reserve")).status).toBe(number === "1e-400" ? 200 : 400);
    }
  });

  test("a mark of the byte order is no part of JSON", async () => {
    const answer = await post(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("{}")]));
    expect(answer.status).toBe(400);
  });
});

test("callers that hang up while they wait leave nothing behind", async () => {
  const gone = Array.from({ length: 40 }, async () => {
    const controller = new AbortController();
    const waiting = exchange(
      intercom().address,
      { method: "GET", path: `/v1/events?after=${before}&waitMs=25000` },
      { token: world.scope.token, signal: controller.signal },
    ).catch(() => "gone");
    setTimeout(() => controller.abort(), 30);
    expect(await waiting).toBe("gone");
  });
  await Promise.all(gone);
  // The places of those who waited are free again.
  await until("a place to wait", async () => {
    const answers = Array.from({ length: 128 }, () => world.scope.call("listEvents", { after: 0 }));
    return (await Promise.all(answers)).length === 128;
  });
});
