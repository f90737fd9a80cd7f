import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { foreignOrigin, guardHost, isLoopbackHost } from "./guards.ts";

const request = (headers: IncomingMessage["headers"]) => ({ headers }) as IncomingMessage;
const refusal = (reason: string) => expect.objectContaining({ code: "PERMISSION_DENIED", details: { reason } });

describe("who may be addressed", () => {
  it.each(["127.0.0.1", "127.0.0.1:4766", "127.8.9.10:1", "localhost", "LocalHost:4766", "[::1]", "[::1]:4766"])(
    "%s",
    (host) => {
      expect(() => guardHost(request({ host }))).not.toThrow();
    },
  );

  it.each([
    undefined,
    "",
    "example.org",
    "example.org:4766",
    "localhost.example.org",
    "127.0.0.1.example.org",
    "127.0.0.1.nip.io:4766",
    "127.0.0.1@example.org",
    "example.org@127.0.0.1",
    "127.0.0.1:4766:80",
    "127.0.0.1:",
    "127.0.0.1/",
    "127.0.0.1 example.org",
    "127.1",
    "128.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "[::]",
    "[::ffff:127.0.0.1]",
    "::1",
    "localhost.",
  ])("not %j", (host) => {
    expect(() => guardHost(request(host === undefined ? {} : { host }))).toThrow(refusal("host"));
  });
});

describe("who may call from a page", () => {
  const host = "127.0.0.1:4766";

  it("only a page of our own address", () => {
    expect(foreignOrigin(request({ host, origin: `http://${host}` }))).toBeUndefined();
    expect(foreignOrigin(request({ host }))).toBeUndefined();
  });

  it.each([
    "null",
    "",
    "https://127.0.0.1:4766",
    "http://127.0.0.1",
    "http://localhost:4766",
    "http://evil.example",
    "file://",
  ])("not %j", (origin) => {
    expect(foreignOrigin(request({ host, origin }))).toBe(origin);
  });

  it("not even its own, when the host is a stranger's", () => {
    expect(() => guardHost(request({ host: "evil.example", origin: "http://evil.example" }))).toThrow(refusal("host"));
  });
});

describe("loopback names", () => {
  it.each(["::1", "[::1]", "127.255.255.254", "LOCALHOST"])("%s is one", (name) => {
    expect(isLoopbackHost(name)).toBe(true);
  });

  it.each(["", "127.0.0", "127.0.0.1.1", "a127.0.0.1", "127.0.0.1a", "127.0.0.1234"])("%j is none", (name) => {
    expect(isLoopbackHost(name)).toBe(false);
  });
});
