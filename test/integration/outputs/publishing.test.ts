import { describe, expect, test } from "vitest";
import { LIMITS, type OutputValue, utf8Length } from "../../../protocol/index.ts";
import type { Actor } from "../../support/actors.ts";
import { exchange } from "../../support/http.ts";
import { issue, makeStream, outputRows, say } from "../../support/outputs.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { multibyte } from "../operations/boundary-cases.ts";

const intercom = useDaemon();

/** Publishes a body as it is written, past anything that would tidy it up. */
async function post(actor: Actor, streamId: string, body: string) {
  const request = { method: "POST", path: `/outputs/${streamId}/values`, body };
  const answer = await exchange(intercom().address, request, { token: actor.token });
  return {
    status: answer.status,
    body: answer.body as { result: OutputValue; error: { code: string; message: string } },
  };
}

const json = (value: string) => `{"contentType":"application/json","value":${value}}`;

test("a value comes back as it was published, with who and when", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const holder = await issue(scope, stream.id, "publish");
  const streamId = stream.id;
  const reference = { uri: "https://ci.example/run/7", title: "Run 7" };
  const first = await agent.call("publishOutput", {
    streamId,
    contentType: "text/plain",
    value: "läuft\n🚀",
    reference,
  });
  expect(first).toEqual({
    streamId,
    sequence: 1,
    producerType: "agent",
    producerId: agent.id,
    contentType: "text/plain",
    value: "läuft\n🚀",
    reference,
    createdAt: intercom().clock.instant(),
  });
  intercom().clock.advance(1500);
  const second = await holder.call("publishOutput", { streamId, contentType: "application/json", value: { ok: true } });
  expect(second).toEqual({
    streamId,
    sequence: 2,
    producerType: "principal",
    producerId: holder.id,
    contentType: "application/json",
    value: { ok: true },
    createdAt: intercom().clock.instant(),
  });
  expect(await scope.call("listOutputValues", { streamId })).toMatchObject({ values: [first, second] });
  expect(await scope.call("latestOutput", { streamId })).toEqual(second);
  expect(await scope.call("getOutputStream", { streamId })).toMatchObject({
    currentSequence: 2,
    updatedAt: intercom().clock.instant(),
  });
});

test("publishing causes one event, which has nothing of the content", async () => {
  const { scope, stream, agent } = await makeStream(intercom());
  const events = await scope.eventsOf(async () => {
    await agent.call("publishOutput", {
      streamId: stream.id,
      contentType: "application/json",
      value: { secret: "treasure" },
      reference: { uri: "https://treasure.example/", title: "treasure" },
    });
  });
  expect(events).toEqual([
    [
      "output.published",
      stream.id,
      { sequence: "1", producerType: "agent", producerId: agent.id, contentType: "application/json" },
    ],
  ]);
});

describe("who may not publish", () => {
  test("is told so, and nothing changes", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const other = await scope.agent("no-publisher");
    const reader = await issue(scope, stream.id, "read");
    const stranger = (await makeStream(intercom())).agent;
    const value = { streamId: stream.id, contentType: "text/plain", value: "x" };
    const before = outputRows(intercom());
    expect(await other.refused("publishOutput", value)).toMatchObject({ status: 403, code: "PERMISSION_DENIED" });
    expect(await reader.refused("publishOutput", value)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(await scope.refused("publishOutput", value)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(await scope.viaAdmin.refused("publishOutput", value)).toMatchObject({
      status: 401,
      code: "UNAUTHENTICATED",
    });
    expect(await stranger.refused("publishOutput", value)).toMatchObject({ status: 404, code: "NOT_FOUND" });
    expect(await agent.refused("publishOutput", { ...value, streamId: "out_none" })).toMatchObject({ status: 404 });
    expect(outputRows(intercom())).toEqual(before);
  });
});

describe("text", () => {
  test.each([
    ["ASCII", "a".repeat(LIMITS.outputTextBytes)],
    ["characters of three bytes", multibyte(LIMITS.outputTextBytes)],
    ["characters of four bytes", "🚀".repeat(LIMITS.outputTextBytes / 4)],
    ["nothing", ""],
    ["blanks", " \n\t"],
    ["what looks like JSON", '{"a":1}'],
    ["control characters", "\u0001\u001b[2J\u202e"],
  ])("of %s is taken as it is", async (_, value) => {
    const { stream, agent } = await makeStream(intercom());
    expect((await say(agent, stream.id, value)).value).toBe(value);
  });

  test.each([
    ["64 KiB and a byte", "a".repeat(LIMITS.outputTextBytes + 1)],
    ["64 KiB and a byte of many", multibyte(LIMITS.outputTextBytes + 1)],
    ["64 KiB and a rocket", "🚀".repeat(LIMITS.outputTextBytes / 4 + 1)],
    ["NUL", "a\u0000b"],
    ["a lone surrogate", "\ud83d"],
  ])("with %s is refused", async (_, value) => {
    const { stream, agent } = await makeStream(intercom());
    const before = outputRows(intercom());
    const refusal = await agent.refused("publishOutput", { streamId: stream.id, contentType: "text/plain", value });
    expect(refusal).toMatchObject({
      status: 400,
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^value: /),
    });
    expect(outputRows(intercom())).toEqual(before);
  });

  test.each([[1], [true], [{}], [["a"]], [null], [undefined]])("is not %j", async (value) => {
    const { stream, agent } = await makeStream(intercom());
    const input = { streamId: stream.id, contentType: "text/plain", value };
    expect(await agent.refused("publishOutput", input)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  });
});

describe("JSON", () => {
  /** A value of exactly so many bytes when encoded. */
  const sized = (bytes: number, filler: (n: number) => string) => ({ a: filler(bytes - '{"a":""}'.length) });

  test("may have 256 KiB when encoded, and not a byte more", async () => {
    const { stream, agent } = await makeStream(intercom());
    const publish = (value: unknown) => ({ streamId: stream.id, contentType: "application/json" as const, value });
    for (const filler of [(n: number) => "a".repeat(n), multibyte]) {
      const fits = sized(LIMITS.outputJsonBytes, filler);
      expect(utf8Length(JSON.stringify(fits))).toBe(LIMITS.outputJsonBytes);
      expect((await agent.call("publishOutput", publish(fits))).value).toEqual(fits);
      expect(await agent.refused("publishOutput", publish(sized(LIMITS.outputJsonBytes + 1, filler)))).toMatchObject({
        status: 400,
        message: `value: expected at most ${LIMITS.outputJsonBytes} bytes of JSON, got ${LIMITS.outputJsonBytes + 1}`,
      });
    }
    expect(await agent.call("publishOutput", publish("a".repeat(LIMITS.outputJsonBytes - 2)))).toBeDefined();
  });

  test("is measured without the blanks between its parts", async () => {
    const { stream, agent } = await makeStream(intercom());
    const { status, body } = await post(agent, stream.id, json(`[1,${" ".repeat(LIMITS.outputJsonBytes)}2]`));
    expect([status, body.result.value]).toEqual([201, [1, 2]]);
  });

  test.each(["false", "0", '""', "[]", "{}", '"text"', "-1.5e-7", "[null]", '{"a":null}', "[[],{}]"])(
    "%s is a value",
    async (value) => {
      const { scope, stream, agent } = await makeStream(intercom());
      const { status, body } = await post(agent, stream.id, json(value));
      expect([status, body.result.value]).toEqual([201, JSON.parse(value)]);
      expect((await scope.call("latestOutput", { streamId: stream.id }))?.value).toEqual(JSON.parse(value));
    },
  );

  test("keeps odd names and the order of its members", async () => {
    const { scope, stream, agent } = await makeStream(intercom());
    const odd =
      '{"z":1,"__proto__":{"polluted":true},"constructor":{"prototype":1},"toJSON":"no","":0,"a b":[{"ü":"€"}]}';
    const { body } = await post(agent, stream.id, json(odd));
    expect(JSON.stringify(body.result.value)).toBe(odd);
    const request = { method: "GET", path: `/outputs/${stream.id}/latest` };
    const read = await exchange(intercom().address, request, { token: scope.token });
    expect(JSON.stringify((read.body as { result: OutputValue }).result.value)).toBe(odd);
    expect({}).not.toHaveProperty("polluted");
  });

  test.each([
    ["null", "null", "value: expected a value other than null"],
    ["a number beyond all bounds", "1e999", "value: expected numbers within the range of a double"],
    ["such a number inside", '{"a":[-1e400]}', "value: expected numbers within the range of a double"],
    ["NUL inside", '["a\\u0000"]', "value: must not contain the NUL character"],
    ["NUL in a name", '{"\\u0000":1}', "value: must not contain the NUL character"],
    ["half a character", '{"a":"\\ud800"}', "value: must be well-formed Unicode"],
    ["half a character in a name", '{"\\udc00":1}', "value: must be well-formed Unicode"],
    ["65 levels", `${"[".repeat(65)}${"]".repeat(65)}`, "value: expected at most 64 levels of nesting"],
    ["65 levels of objects", `${'{"a":'.repeat(65)}1${"}".repeat(65)}`, "value: expected at most 64 levels of nesting"],
    [
      "half a million levels",
      `${"[".repeat(500_000)}${"]".repeat(500_000)}`,
      "value: expected at most 64 levels of nesting",
    ],
  ])("with %s is refused", async (_, value, message) => {
    const { stream, agent } = await makeStream(intercom());
    const before = outputRows(intercom());
    const { status, body } = await post(agent, stream.id, json(value));
    expect([status, body.error?.code, body.error?.message]).toEqual([400, "INVALID_ARGUMENT", message]);
    expect(outputRows(intercom())).toEqual(before);
  });

  test("may have 64 levels", async () => {
    const { stream, agent } = await makeStream(intercom());
    expect((await post(agent, stream.id, json(`${"[".repeat(64)}${"]".repeat(64)}`))).status).toBe(201);
  });

  test("must be there", async () => {
    const { stream, agent } = await makeStream(intercom());
    const { status, body } = await post(agent, stream.id, '{"contentType":"application/json"}');
    expect([status, body.error.message]).toEqual([400, "value: expected a value other than null"]);
  });
});

test.each([["text/html"], ["TEXT/PLAIN"], ["application/json; charset=utf-8"], [""], [null], [undefined]])(
  "the content type %j is refused",
  async (contentType) => {
    const { stream, agent } = await makeStream(intercom());
    const input = { streamId: stream.id, contentType, value: "x" };
    expect(await agent.refused("publishOutput", input)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^contentType: .*text\/plain, application\/json/),
    });
  },
);

describe("a reference", () => {
  const publish = (streamId: string, reference: unknown) => ({
    streamId,
    contentType: "text/plain",
    value: "x",
    reference,
  });

  test.each([
    "https://example.org/a?b=c#d",
    "http://127.0.0.1:8080/",
    "file:///tmp/report.html",
    "mailto:ada@example.org",
    "urn:isbn:9780141036144",
    "vscode://file/tmp/a.ts:3",
    "HTTPS://EXAMPLE.ORG/ü",
    "git+ssh://git@example.org/a.git",
    `https://example.org/${"a".repeat(LIMITS.outputReferenceUriBytes - 20)}`,
  ])("may be %s", async (uri) => {
    const { stream, agent } = await makeStream(intercom());
    expect(await agent.call("publishOutput", publish(stream.id, { uri }) as never)).toMatchObject({
      reference: { uri },
    });
  });

  test.each([
    "/relative",
    "example.org/a",
    "//example.org/a",
    "?q",
    "#a",
    "",
    " ",
    " https://example.org",
    "https://example.org ",
    "https://",
    "https://exa mple.org/",
    "https://example.org/\u0007",
    "1http://example.org",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "javascript:\nalert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "blob:https://example.org/x",
    `https://example.org/${"a".repeat(LIMITS.outputReferenceUriBytes - 19)}`,
  ])("must not be %j", async (uri) => {
    const { stream, agent } = await makeStream(intercom());
    const before = outputRows(intercom());
    expect(await agent.refused("publishOutput", publish(stream.id, { uri }))).toMatchObject({
      status: 400,
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^reference\.uri: /),
    });
    expect(outputRows(intercom())).toEqual(before);
  });

  test("has a title of 1 to 512 bytes or none, and nothing else", async () => {
    const { stream, agent } = await makeStream(intercom());
    const uri = "https://example.org/";
    const title = multibyte(LIMITS.outputReferenceTitleBytes);
    expect(await agent.call("publishOutput", publish(stream.id, { uri, title }) as never)).toMatchObject({
      reference: { uri, title },
    });
    for (const reference of [
      { uri, title: `${title}a` },
      { uri, title: " " },
      { uri, kind: "x" },
      { title },
      "x",
      null,
      [uri],
    ]) {
      expect(await agent.refused("publishOutput", publish(stream.id, reference))).toMatchObject({ status: 400 });
    }
  });
});
