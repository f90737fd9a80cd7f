import { beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import { credentialsFor, makeWorld, prepare, type World } from "../../support/fixtures.ts";
import { exchange, pathOf } from "../../support/http.ts";
import { rawRequest } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
let world: World;

beforeAll(async () => {
  world = await makeWorld(intercom());
});

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"] as const;

/** Methods the table knows for each path. */
const paths = new Map<string, { name: OperationName; methods: string[] }>();
for (const name of operationNames) {
  const { path, aliases = [], method, origins } = operationOf(name);
  // Pages of other origins may ask about these first, which has tests of its own.
  if (origins !== undefined) continue;
  for (const each of [path, ...aliases]) {
    const known = paths.get(each);
    if (known) known.methods.push(method);
    else paths.set(each, { name, methods: [method] });
  }
}
const table = [...paths].map(([path, { name, methods }]) => ({ path, name, methods }));

function filled(path: string): string {
  return path.replace(/\{\w+\}/g, "some-id");
}

function expectCommonHeaders(headers: Headers): void {
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-powered-by")).toBeNull();
  expect(headers.get("access-control-allow-origin")).toBeNull();
}

const answeringJson = operationNames.filter((name) => {
  const { framing } = operationOf(name);
  return name !== "shutdown" && (framing === "envelope" || framing === "bare");
});

describe("every answer is JSON that nobody stores:", () => {
  test.each(answeringJson)("%s", async (name) => {
    const { authority, framing, status } = operationOf(name);
    const { input, caller } = await prepare(world, name);
    const right = await intercom().send(name, input, credentialsFor(world, authority, caller));
    expect(right.status).toBe(status);
    expectCommonHeaders(right.headers);
    if (framing === "envelope") expect(Object.keys(right.body as object)).toEqual(["ok", "result"]);
    if (authority === "none") return;
    const wrong = await intercom().send(name, input);
    expectCommonHeaders(wrong.headers);
    expect(wrong.body).toMatchObject({ ok: false, error: { code: "UNAUTHENTICATED" } });
  });
});

describe.each(table)("$path", ({ path, methods }) => {
  const others = METHODS.filter((method) => !methods.includes(method));

  test("answers other methods with 405 and those it knows", async () => {
    for (const method of others) {
      const answer = await exchange(intercom().address, { method, path: filled(path) });
      expect(answer.status, method).toBe(405);
      expect(answer.headers.get("allow"), method).toBe([...methods].sort().join(", "));
      expectCommonHeaders(answer.headers);
      if (method === "HEAD") continue;
      expect(answer.body).toMatchObject({ ok: false, error: { code: "METHOD_NOT_ALLOWED" } });
    }
  });

  test("is not found in other spellings", async () => {
    for (const spelling of [`${path}/`, `${path}/more/more/more`, path.toUpperCase(), `/${path}`, `/v2${path}`]) {
      const answer = await exchange(intercom().address, { method: methods[0] as string, path: filled(spelling) });
      expect(answer.status, spelling).toBe(404);
      expect(answer.body).toEqual({ ok: false, error: { code: "NOT_FOUND", message: "Route not found" } });
    }
  });
});

test.each(["/", "", "/v1", "/v1/", "/v1/nothing", "/health/dead", "/mcp/", "/favicon.ico"])(
  "there is nothing at %j",
  async (path) => {
    const answer = await exchange(intercom().address, { method: "GET", path });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } });
    expectCommonHeaders(answer.headers);
  },
);

describe("credentials", () => {
  const ask = (authorization: string) =>
    exchange(intercom().address, { method: "GET", path: "/v1/me" }, { headers: { Authorization: authorization } });

  test.each(["Bearer", "bearer", "BEARER", "bEaReR"])("the scheme %s is understood", async (scheme) => {
    expect((await ask(`${scheme} ${world.alice.token}`)).status).toBe(200);
  });

  test("the token is trimmed", async () => {
    expect((await ask(`Bearer \t  ${world.alice.token}  `)).status).toBe(200);
  });

  test.each(["Bearer", "Bearer ", "Basic abc", "", "Token x", "Bearer\u00a0x"])("%j is no token", async (header) => {
    expect(await ask(header)).toMatchObject({ status: 401, body: { error: { details: { reason: "missing" } } } });
  });

  test("a token is compared as a whole and by case", async () => {
    const { token } = world.alice;
    for (const almost of [token.slice(0, -1), `${token}A`, token.toLowerCase(), `${token} ${token}`]) {
      expect(await ask(`Bearer ${almost}`)).toMatchObject({ status: 401 });
    }
  });

  test("the scope header is trimmed", async () => {
    const options = { token: intercom().adminToken, headers: { "intercom-scope": `  ${world.scope.id} ` } };
    expect((await exchange(intercom().address, { method: "GET", path: "/v1/scope" }, options)).status).toBe(200);
  });

  test("an empty scope header names no scope", async () => {
    const options = { token: intercom().adminToken, headers: { "Intercom-Scope": "" } };
    expect((await exchange(intercom().address, { method: "GET", path: "/v1/scope" }, options)).status).toBe(401);
  });
});

describe("ids in a path", () => {
  test("may be percent-encoded", async () => {
    const id = "Agent_1.x:y-z";
    await world.scope.agent(id);
    for (const spelling of [id, encodeURIComponent(id), "%41gent%5F1%2Ex%3ay%2Dz"]) {
      const request = { method: "GET", path: `/v1/scope/agents/${spelling}` };
      expect(await exchange(intercom().address, request, { token: world.scope.token })).toMatchObject({
        body: { result: { id } },
      });
    }
  });

  test.each(["%", "%zz", "%ff", "%c3%28"])("%s is not properly encoded", async (spelling) => {
    const request = { method: "GET", path: `/v1/scope/agents/${spelling}` };
    const answer = await rawRequest(intercom().port, {
      ...request,
      headers: { Authorization: `Bearer ${world.scope.token}` },
    });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("INVALID_ARGUMENT");
  });

  test.each(["a%2Fb", "..%2f..", "%00", "a%20b", "a%0Ab", "é"])("%s is no identifier", async (spelling) => {
    const request = { method: "GET", path: `/v1/scope/agents/${spelling}` };
    const answer = await exchange(intercom().address, request, { token: world.scope.token });
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(/^agentId: /) } } });
  });

  test("are matched after literal segments", async () => {
    const answer = await exchange(intercom().address, {
      method: "GET",
      path: pathOf("getReceipt", { messageId: "ack" }),
    });
    expect(answer.status).toBe(405);
  });
});
