import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ErrorValue, IntercomError, LIMITS } from "../../protocol/index.ts";
import { readJsonObject } from "./body.ts";

let server: Server;
let port: number;
/** What the last request that was cut off came to. */
let lastOutcome: PromiseWithResolvers<unknown>;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    try {
      const value = await readJsonObject(request);
      lastOutcome?.resolve(value);
      response.end(JSON.stringify({ value }));
    } catch (error) {
      lastOutcome?.resolve(error);
      response.setHeader("Connection", "close");
      response.end(
        JSON.stringify(error instanceof IntercomError ? error.toValue() : { code: "BUG", message: String(error) }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Outcome = Partial<ErrorValue> & { readonly value?: unknown };

async function post(
  body: string | Uint8Array | ReadableStream | undefined,
  type: string | undefined = "application/json",
): Promise<Outcome> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    headers: type === undefined ? {} : { "Content-Type": type },
    ...(body === undefined ? {} : { body, duplex: "half" }),
  } as RequestInit);
  return (await response.json()) as Outcome;
}

function chunked(...chunks: string[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk))) as ReadableStream<Uint8Array>;
}

const object = (bytes: number) => `{"a":"${"x".repeat(bytes - 8)}"}`;

describe("body", () => {
  it("is one JSON object", async () => {
    expect(await post('{"a":1,"b":{"c":[null]}}')).toEqual({ value: { a: 1, b: { c: [null] } } });
  });

  it("counts as empty when there is none", async () => {
    expect(await post(undefined, undefined)).toEqual({ value: {} });
    expect(await post("")).toEqual({ value: {} });
    expect(await post(chunked())).toEqual({ value: {} });
  });

  it("may come in pieces, also in the middle of a character", async () => {
    const bytes = new TextEncoder().encode('{"name":"Zoë-🚀"}');
    const pieces = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte))) as ReadableStream<Uint8Array>;
    expect(await post(pieces)).toEqual({ value: { name: "Zoë-🚀" } });
  });

  it.each(["application/json", "application/json; charset=utf-8", "APPLICATION/JSON;charset=UTF-8"])(
    "is taken as %s",
    async (type) => {
      expect(await post("{}", type)).toEqual({ value: {} });
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", "text/json"])(
    "is not taken as %s, which a page may send to any origin",
    async (type) => {
      expect(await post("{}", type)).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(/^Content-Type: expected/),
      });
    },
  );

  it.each([
    ["no JSON", "{", /not one JSON value/],
    ["two values", "{}{}", /not one JSON value/],
    ["a byte order mark", "\ufeff{}", /not one JSON value/],
    ["a comment", "{} // yes", /not one JSON value/],
    ["blank", "  ", /not one JSON value/],
    ["a list", "[]", /expected a JSON object/],
    ["null", "null", /expected a JSON object/],
    ["a text", '"x"', /expected a JSON object/],
    ["a number", "1", /expected a JSON object/],
  ])("is refused when it is %s", async (_what, body, message) => {
    const outcome = await post(body);
    expect(outcome.code).toBe("INVALID_ARGUMENT");
    expect(outcome.message).toMatch(message);
  });

  it("is refused when it is not UTF-8", async () => {
    const broken = Uint8Array.of(...new TextEncoder().encode('{"a":"'), 0xc3, 0x28, ...new TextEncoder().encode('"}'));
    expect(await post(broken)).toMatchObject({ code: "INVALID_ARGUMENT", message: "The body is not UTF-8" });
  });

  it("may have exactly 1 MiB, and not a byte more, whether it says so beforehand or not", async () => {
    const fits = object(LIMITS.bodyBytes);
    const tooLarge = object(LIMITS.bodyBytes + 1);
    const refusal = {
      code: "INVALID_ARGUMENT",
      message: "Request body exceeds 1 MiB",
      details: { reason: "too_large" },
    };
    expect((await post(fits)).code).toBeUndefined();
    expect((await post(chunked(fits.slice(0, 1000), fits.slice(1000)))).code).toBeUndefined();
    expect(await post(tooLarge)).toEqual(refusal);
    expect(await post(chunked(tooLarge.slice(0, 1000), tooLarge.slice(1000)))).toEqual(refusal);
  });

  it("is refused, and nobody waits for ever, when its sender goes away in the middle", async () => {
    lastOutcome = Promise.withResolvers();
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
    await new Promise<void>((resolve) => server.once("request", () => resolve()));
    socket.destroy();
    expect(await lastOutcome.promise).toBeInstanceOf(Error);
  });

  it("does not let names of built-in members change anything", async () => {
    expect(await post('{"__proto__":{"polluted":true},"constructor":1}')).toMatchObject({ value: { constructor: 1 } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
