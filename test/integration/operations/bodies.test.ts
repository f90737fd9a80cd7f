import { beforeAll, describe, expect, test } from "vitest";
import { inputPlacement, LIMITS, operationNames, operationOf, pathParameters } from "../../../protocol/index.ts";
import { credentialsFor, makeWorld, prepare, type World } from "../../support/fixtures.ts";
import { type Answer, exchange, refusalOf, requestFor } from "../../support/http.ts";
import { rawRequest } from "../../support/raw.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();
let world: World;

beforeAll(async () => {
  world = await makeWorld(intercom());
});

/** Uploads have rules of their own for their bodies, and so has A2A. */
const usual = operationNames.filter(
  (name) => operationOf(name).transfer !== "upload" && operationOf(name).framing !== "a2a",
);
const withBody = usual.filter((name) => inputPlacement(operationOf(name)) === "body");
const withQuery = usual.filter((name) => inputPlacement(operationOf(name)) === "query");

/** A JSON object of exactly `bytes`, padded with blanks. */
function padded(json: string, bytes: number): string {
  return json.padEnd(bytes, " ");
}

describe.each(withBody)("the body of %s", (name) => {
  const { authority } = operationOf(name);
  let request: ReturnType<typeof requestFor>;
  let credentials: ReturnType<typeof credentialsFor>;

  beforeAll(async () => {
    const { input, caller } = await prepare(world, name);
    request = requestFor(name, input);
    credentials = credentialsFor(world, authority, caller);
  });

  async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Answer> {
    return exchange(intercom().address, { ...request, body }, { ...credentials, headers });
  }

  async function expectRefused(what: string, answer: Answer, message: RegExp): Promise<void> {
    const error = refusalOf(name, answer);
    expect({ code: error.code, message: error.message }, what).toEqual({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
  }

  test("is one JSON object in UTF-8, and nothing else is stored", async () => {
    const before = await world.scope.revision();
    for (const body of ["{", "{'a':1}", "{}{}", "{} {}", "nothing", "{}\u0000", '{"a":1,}']) {
      await expectRefused(body, await post(body), /^The body is not one JSON value$/);
    }
    for (const body of ["[]", "null", "1", '"text"', "true"]) {
      await expectRefused(body, await post(body), /^The body: expected a JSON object$/);
    }
    for (const bytes of [
      [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
      [0xc3, 0x28],
      [0xed, 0xa0, 0x80],
    ]) {
      await expectRefused(`bytes ${bytes}`, await post(Uint8Array.from(bytes)), /^The body is not UTF-8$/);
    }
    expect(await world.scope.revision()).toBe(before);
  });

  test("is declared as JSON", async () => {
    const body = request.body ?? "{}";
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json"]) {
      await expectRefused(type, await post(body, { "Content-Type": type }), /^Content-Type: /);
    }
    const untyped = await rawRequest(intercom().port, {
      method: request.method,
      path: request.path,
      body,
      headers: { Authorization: `Bearer ${credentials.token}` },
    });
    expect(JSON.parse(untyped.text)).toMatchObject({ error: { message: "Content-Type: expected application/json" } });
  });

  test("has at most 1 MiB", async () => {
    const over = padded(request.body ?? "{}", LIMITS.bodyBytes + 1);
    const answer = await post(over);
    await expectRefused("one byte more", answer, /^Request body exceeds 1 MiB$/);
    expect(answer.headers.get("connection")).toBe("close");
  });

  test("has no fields that travel in the path, and no query beside it", async () => {
    const [parameter] = pathParameters(operationOf(name).path);
    if (parameter !== undefined) {
      await expectRefused(parameter, await post(JSON.stringify({ [parameter]: "x" })), new RegExp(`^${parameter}: `));
    }
    const path = `${request.path}?stray=1`;
    const answer = await exchange(intercom().address, { ...request, path, body: request.body }, credentials);
    await expectRefused("query", answer, /^stray: unknown field here; fields travel in the body$/);
  });

  test("may fill 1 MiB exactly", async () => {
    if (name === "shutdown") return;
    const answer = await post(padded(request.body ?? "{}", LIMITS.bodyBytes));
    expect(answer.body).toMatchObject({ ok: true });
  });
});

test("a body that does not say how long it is may not exceed 1 MiB either", async () => {
  const refusal = await rawRequest(intercom().port, {
    method: "POST",
    path: "/v1/tasks",
    headers: {
      Authorization: `Bearer ${world.alice.token}`,
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked",
    },
    body: padded('{"title":"t"}', LIMITS.bodyBytes + 1),
  });
  expect(refusal.status).toBe(400);
  expect(JSON.parse(refusal.text)).toMatchObject({ error: { message: "Request body exceeds 1 MiB" } });
});

test("an empty body counts as an object without fields", async () => {
  const { token } = world.alice;
  for (const headers of [{}, { "Content-Type": "application/json" }, { "Content-Type": "text/plain" }]) {
    const request = { method: "POST", path: "/v1/inbox/reserve" };
    expect(await exchange(intercom().address, request, { token, headers })).toMatchObject({ status: 200 });
  }
});

test("the type of a body may name its charset", async () => {
  const headers = { "Content-Type": "Application/JSON; charset=utf-8" };
  const request = { method: "POST", path: "/v1/tasks", body: '{"title":"ü€😀"}' };
  const answer = await exchange(intercom().address, request, { token: world.alice.token, headers });
  expect(answer.body).toMatchObject({ result: { title: "ü€😀" } });
});

describe.each(withQuery)("the query of %s", (name) => {
  const { authority, method } = operationOf(name);
  let path: string;
  let credentials: ReturnType<typeof credentialsFor>;

  beforeAll(async () => {
    const { input, caller } = await prepare(world, name);
    path = requestFor(name, input).path;
    credentials = credentialsFor(world, authority, caller);
  });

  const withParameters = (query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;
  const refusal = async (query: string) =>
    refusalOf(name, await exchange(intercom().address, { method, path: withParameters(query) }, credentials));

  test("has known parameters only", async () => {
    for (const parameter of ["unheardOf", "Limit", "token", "__proto__", "constructor", "toString"]) {
      expect(await refusal(`${parameter}=1`), parameter).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(new RegExp(`^${parameter}: `)),
      });
    }
  });

  test("has each parameter once", async () => {
    for (const field of Object.keys(operationOf(name).input.shape)) {
      if (pathParameters(operationOf(name).path).includes(field)) continue;
      expect(await refusal(`${field}=1&${field}=1`), field).toMatchObject({ message: `${field}: expected once` });
    }
  });

  test("cannot travel in the body", async () => {
    if (method === "GET") return;
    const answer = await exchange(intercom().address, { method, path, body: '{"left":"a"}' }, credentials);
    expect(refusalOf(name, answer).message).toBe("left: unknown field here; fields travel in the query");
  });
});

test("a GET takes no fields from a body", async () => {
  const answer = await rawRequest(intercom().port, {
    path: "/v1/tasks",
    headers: {
      Authorization: `Bearer ${world.alice.token}`,
      "Content-Type": "application/json",
      "Content-Length": "14",
    },
    body: '{"ready":true}',
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("ready: unknown field here; fields travel in the query");
});

test("an empty parameter counts as absent", async () => {
  const page = await exchange(
    intercom().address,
    { method: "GET", path: "/v1/tasks/page?after=&limit=&status=" },
    {
      token: world.alice.token,
    },
  );
  expect(page.status).toBe(200);
});
