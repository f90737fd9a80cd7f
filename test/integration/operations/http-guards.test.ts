import { describe, expect, test } from "vitest";
import { operationNames, operationOf } from "../../../protocol/index.ts";
import { pathOf } from "../../support/http.ts";
import { rawBytes, rawRequest, statusesOf } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** Pages in a browser have no business here, whatever name they call us by. */

const intercom = useDaemon();
/** Those of other origins are let in to some routes, which tests of their own look at. */
const routes = operationNames
  .filter((name) => operationOf(name).origins !== "any")
  .map((name) => ({ name, method: operationOf(name).method, path: pathOf(name) }));

async function ask(
  headers: Record<string, string>,
  route: { method: string; path: string } = { method: "GET", path: "/health" },
) {
  const authorization = { Authorization: `Bearer ${intercom().adminToken}` };
  const answer = await rawRequest(intercom().port, { ...route, headers: { ...authorization, ...headers } });
  return { status: answer.status, body: answer.text === "" ? undefined : JSON.parse(answer.text) };
}

const denied = (reason: string) => ({
  status: 403,
  body: { ok: false, error: { code: "PERMISSION_DENIED", details: { reason } } },
});

describe.each(routes)("$name", (route) => {
  test("is not reached under a name that was rebound to this machine", async () => {
    expect(await ask({ Host: `evil.example:${intercom().port}` }, route)).toMatchObject(denied("host"));
  });

  test("is not reached from a page of another origin", async () => {
    expect(await ask({ Origin: "https://evil.example" }, route)).toMatchObject(denied("origin"));
  });
});

test("an unknown route is guarded like any other", async () => {
  expect(await ask({ Host: "evil.example" }, { method: "GET", path: "/nothing" })).toMatchObject(denied("host"));
});

test.each(["127.0.0.1", "127.0.0.1:1", "127.8.9.10:4766", "localhost", "LocalHost:4766", "[::1]", "[::1]:4766"])(
  "Host %s is this machine",
  async (host) => {
    expect((await ask({ Host: host })).status).toBe(200);
  },
);

test.each([
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "127.0.0.1.nip.io",
  "128.0.0.1",
  "0.0.0.0",
  "192.168.0.1",
  "[::2]",
  "[::ffff:127.0.0.1]",
  "user@localhost",
  "localhost:port",
  "localhost:123456",
  "localhost ",
  "127.1",
  "2130706433",
])("Host %j is not", async (host) => {
  // Blanks around a value are not part of it.
  if (host.trim() !== host) expect((await ask({ Host: host })).status).toBe(200);
  else expect(await ask({ Host: host })).toMatchObject(denied("host"));
});

test("a request without Host is refused", async () => {
  const empty = await rawBytes(intercom().port, "GET /health HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n");
  expect(statusesOf(empty)).toEqual([403]);
  const newer = await rawBytes(intercom().port, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n");
  expect(statusesOf(newer)).toEqual([400]);
  const older = await rawBytes(intercom().port, "GET /health HTTP/1.0\r\n\r\n");
  expect(statusesOf(older)).toEqual([403]);
});

test("a request with two Hosts is refused, or judged by the first", async () => {
  const head = "GET /health HTTP/1.1\r\nConnection: close\r\n";
  const evilFirst = await rawBytes(intercom().port, `${head}Host: evil.example\r\nHost: localhost\r\n\r\n`);
  expect([400, 403]).toContain(statusesOf(evilFirst)[0]);
});

describe("Origin", () => {
  test("may be the very address that is asked", async () => {
    const host = `127.0.0.1:${intercom().port}`;
    expect((await ask({ Host: host, Origin: `http://${host}` })).status).toBe(200);
  });

  test.each([
    "null",
    "https://evil.example",
    "http://localhost",
    "http://127.0.0.1:1",
    "https://127.0.0.1",
    "file://",
    "chrome-extension://abc",
  ])("%s is another one", async (origin) => {
    expect(await ask({ Origin: origin })).toMatchObject(denied("origin"));
  });

  test("a preflight is answered without permission", async () => {
    const answer = await rawRequest(intercom().port, {
      method: "OPTIONS",
      path: "/v1/messages",
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
