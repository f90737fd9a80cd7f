import { beforeAll, describe, expect, test } from "vitest";
import { operationNames, operationOf } from "../../../protocol/index.ts";
import { pathOf } from "../../support/http.ts";
import { issue, makeStream, say } from "../../support/outputs.ts";
import { rawRequest } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";

/** Pages of listed origins reach the values of streams, and nothing else. */

const LISTED = "https://dashboard.example";
const SECOND = "http://localhost:5173";
const intercom = useDaemon({ settings: { allowedOrigins: [LISTED, SECOND] } });

let path: string;
let latest: string;
let reader: string;
let publisher: string;

beforeAll(async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  path = pathOf("listOutputValues", { streamId: stream.id });
  latest = pathOf("latestOutput", { streamId: stream.id });
  reader = (await issue(scope, stream.id, "read")).token;
  publisher = (await issue(scope, stream.id, "publish")).token;
  await say(agent, stream.id, "hello");
});

async function ask(method: string, target: string, headers: Record<string, string> = {}, body?: string) {
  const answer = await rawRequest(intercom().port, { method, path: target, headers, ...(body ? { body } : {}) });
  const crossOrigin = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => name.startsWith("access-control-")),
  );
  return { ...answer, crossOrigin, body: answer.text === "" ? undefined : JSON.parse(answer.text) };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const shared = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "Retry-After",
});

describe("a page of a listed origin", () => {
  test.each([LISTED, SECOND])("at %s reads", async (origin) => {
    for (const target of [path, latest]) {
      const answer = await ask("GET", target, { ...bearer(reader), Origin: origin });
      expect(answer).toMatchObject({ status: 200, crossOrigin: shared(origin), headers: { vary: "Origin" } });
      expect(answer.text).toContain("hello");
    }
  });

  test("publishes", async () => {
    const body = JSON.stringify({ contentType: "text/plain", value: "from a page" });
    const headers = { ...bearer(publisher), Origin: LISTED, "Content-Type": "application/json" };
    expect(await ask("POST", path, headers, body)).toMatchObject({ status: 201, crossOrigin: shared(LISTED) });
  });

  test("can read why it is refused", async () => {
    const answer = await ask("GET", path, { ...bearer("wrong"), Origin: LISTED });
    expect(answer).toMatchObject({
      status: 401,
      crossOrigin: shared(LISTED),
      body: { error: { code: "UNAUTHENTICATED" } },
    });
    const malformed = await ask("GET", `${path}?after=x`, { ...bearer(reader), Origin: LISTED });
    expect(malformed).toMatchObject({ status: 400, crossOrigin: shared(LISTED) });
  });

  test("is nobody without a credential in the header: neither cookie nor query counts", async () => {
    const headers = { Origin: LISTED, Cookie: `Authorization=Bearer ${reader}; token=${reader}` };
    expect(await ask("GET", path, headers)).toMatchObject({ status: 401 });
    expect(await ask("GET", `${path}?access_token=${reader}`, { Origin: LISTED })).toMatchObject({ status: 401 });
    const answer = await ask("GET", path, { ...bearer(reader), Origin: LISTED });
    expect(answer.crossOrigin).not.toHaveProperty("access-control-allow-credentials");
    expect(answer.headers).not.toHaveProperty("set-cookie");
  });

  test.each(
    operationNames
      .filter((name) => operationOf(name).origins === undefined)
      .map((name) => ({ name, method: operationOf(name).method, target: pathOf(name) })),
  )("has no business at $name", async ({ method, target }) => {
    const answer = await ask(method, target, { ...bearer(intercom().adminToken), Origin: LISTED });
    expect(answer).toMatchObject({ status: 403, crossOrigin: {}, body: { error: { details: { reason: "origin" } } } });
    const preflight = await ask("OPTIONS", target, { Origin: LISTED, "Access-Control-Request-Method": method });
    expect(preflight).toMatchObject({ status: 403, crossOrigin: {} });
  });

  test.each(["/mcp", "/nothing", "/outputs", "/outputs/x", "/outputs/x/values/1"])(
    "has no business at %s",
    async (target) => {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        expect(await ask(method, target, { Origin: LISTED })).toMatchObject({ status: 403, crossOrigin: {} });
      }
    },
  );

  test("is refused under a name that was rebound to this machine", async () => {
    for (const method of ["GET", "OPTIONS"]) {
      const answer = await ask(method, path, { ...bearer(reader), Origin: LISTED, Host: "dashboard.example" });
      expect(answer).toMatchObject({ status: 403, crossOrigin: {}, body: { error: { details: { reason: "host" } } } });
    }
  });
});

describe("a preflight", () => {
  const preflight = (target: string, origin?: string) =>
    ask("OPTIONS", target, {
      ...(origin === undefined ? {} : { Origin: origin }),
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "authorization",
    });

  test.each([
    ["the values", () => path, "POST, GET, OPTIONS"],
    ["the newest value", () => latest, "GET, OPTIONS"],
    ["a stream that is not there", () => pathOf("listOutputValues", { streamId: "out_none" }), "POST, GET, OPTIONS"],
  ])("for %s is answered without a credential", async (_, target, methods) => {
    const answer = await preflight(target(), LISTED);
    expect(answer).toMatchObject({ status: 204, text: "", headers: { vary: "Origin", allow: methods } });
    expect(answer.crossOrigin).toEqual({
      ...shared(LISTED),
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key",
    });
  });

  test("of an origin that is not listed gets nothing", async () => {
    expect(await preflight(path, "https://evil.example")).toMatchObject({ status: 403, crossOrigin: {} });
  });

  test("without an origin opens nothing", async () => {
    const answer = await preflight(path);
    expect(answer.status).toBe(204);
    expect(answer.crossOrigin).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("a page of an origin that is not listed", () => {
  test.each([
    "https://evil.example",
    "null",
    "http://dashboard.example",
    "https://dashboard.example:8443",
    "https://dashboard.example.evil.example",
    "https://sub.dashboard.example",
    "HTTPS://DASHBOARD.EXAMPLE",
    "https://dashboard.example/",
    `${LISTED}, https://evil.example`,
    "http://localhost",
    "*",
  ])("%s gets nothing", async (origin) => {
    for (const target of [path, latest]) {
      const answer = await ask("GET", target, { ...bearer(reader), Origin: origin });
      expect(answer).toMatchObject({
        status: 403,
        crossOrigin: {},
        headers: { vary: "Origin" },
        body: { ok: false, error: { code: "PERMISSION_DENIED", details: { reason: "origin" } } },
      });
      expect(answer.text).not.toContain("hello");
    }
  });

  test("publishes nothing", async () => {
    const before = await ask("GET", latest, bearer(reader));
    const headers = { ...bearer(publisher), Origin: "https://evil.example", "Content-Type": "application/json" };
    const body = JSON.stringify({ contentType: "text/plain", value: "evil" });
    expect(await ask("POST", path, headers, body)).toMatchObject({ status: 403, crossOrigin: {} });
    expect((await ask("GET", latest, bearer(reader))).text).toBe(before.text);
  });

  test("cannot publish by a form either, whatever it is listed as", async () => {
    const body = JSON.stringify({ contentType: "text/plain", value: "evil" });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const headers = { ...bearer(publisher), Origin: LISTED, "Content-Type": type };
      expect(await ask("POST", path, headers, body)).toMatchObject({ status: 400 });
    }
  });
});

test("callers that are no pages see nothing of all this, but caches must know", async () => {
  const answer = await ask("GET", path, bearer(reader));
  expect(answer).toMatchObject({
    status: 200,
    crossOrigin: {},
    headers: { vary: "Origin", "cache-control": "no-store" },
  });
  const own = await ask("GET", path, {
    ...bearer(reader),
    Host: `127.0.0.1:${intercom().port}`,
    Origin: intercom().address,
  });
  expect(own).toMatchObject({ status: 200 });
});
