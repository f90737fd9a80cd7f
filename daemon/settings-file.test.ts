import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../test/fixtures/temporary-directory.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";

const path = useTemporaryDirectory();

function read(content: unknown): SettingsFile {
  const file = path("settings.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return readSettingsFile(file);
}

function problem(content: unknown): string {
  try {
    read(content);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    expect(code).toBe("INVALID_ARGUMENT");
    const [, said] = /^The settings file \S+settings\.json cannot be used: (.*)\. The daemon was not started\.$/.exec(
      message,
    ) ?? [undefined, `unexpected words: ${message}`];
    return said as string;
  }
  throw new Error(`accepted ${JSON.stringify(content)}`);
}

describe("a settings file", () => {
  it("need not be there, and may be empty of settings", () => {
    expect(readSettingsFile(path("settings.json"))).toEqual({});
    expect(read({})).toEqual({});
  });

  it("may have every setting, and begin with a byte order mark", () => {
    const settings = {
      port: 4766,
      octoberBusPort: 0,
      allowedOrigins: ["https://app.example", "http://localhost:5173", "chrome-extension://abcdef"],
      publicUrl: "https://agents.example/bus",
      a2a: { messagesPerPrincipal: 9999, bytesPerPrincipal: 655_294_464 },
    };
    expect(read(settings)).toEqual(settings);
    expect(read(`\uFEFF${JSON.stringify(settings)}`)).toEqual(settings);
  });

  it.each([
    [{ prot: 1 }, /^prot: unknown field; expected port, octoberBusPort/],
    [{ a2a: { messages: 1 } }, /^a2a\.messages: unknown field; expected messagesPerPrincipal, bytesPerPrincipal/],
    ['{"__proto__": {"port": 1}}', /^__proto__: unknown field/],
    [{ port: "4766" }, /^port: expected a whole number from 0 to 65535/],
    [{ port: null }, /^port: expected a whole number/],
    [{ octoberBusPort: 65_536 }, /^octoberBusPort: expected a whole number from 0 to 65535/],
    [{ octoberBusPort: 1.5 }, /^octoberBusPort: expected a whole number/],
    [{ allowedOrigins: "https://app.example" }, /^allowedOrigins: expected a list of origins/],
    [{ a2a: [] }, /^a2a: expected an object/],
    [{ a2a: { messagesPerPrincipal: 0 } }, /^a2a\.messagesPerPrincipal: expected a whole number from 1 to 9999/],
    [{ a2a: { messagesPerPrincipal: 10_000 } }, /^a2a\.messagesPerPrincipal: expected/],
    [
      { a2a: { bytesPerPrincipal: 655_294_465 } },
      /^a2a\.bytesPerPrincipal: expected a whole number from 1 to 655294464/,
    ],
    ["[]", /^expected a JSON object/],
    ["null", /^expected a JSON object/],
    ["", /^it is not valid JSON/],
    ["{port: 1}", /^it is not valid JSON/],
    [" ".repeat(65 * 1024), /^it is larger than 65536 bytes/],
  ])("is refused when it says %j", (content, expected) => {
    expect(problem(content)).toMatch(expected);
  });

  it.each([
    "https://app.example/",
    "https://APP.example",
    "https://app.example:443",
    "app.example",
    "https://user@app.example",
    "*",
    "null",
    "file:///tmp",
    "ftp://app.example",
    "",
    7,
  ])("names the origin that is none: %j", (origin) => {
    expect(problem({ allowedOrigins: ["https://good.example", origin] })).toMatch(
      /^allowedOrigins\.1: expected an origin/,
    );
  });

  it.each([
    ["https://agents.example/", "https://agents.example"],
    ["https://agents.example/bus///", "https://agents.example/bus"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["http://localhost", "http://localhost"],
    ["http://[::1]:80/x", "http://[::1]/x"],
    ["HTTPS://Agents.Example:443", "https://agents.example"],
  ])("may name %s as the public address", (publicUrl, expected) => {
    expect(read({ publicUrl })).toEqual({ publicUrl: expected });
  });

  it.each([
    ["http://agents.example", /expected https, or http with a loopback host/],
    ["ftp://localhost", /expected https/],
    ["https://user:secret@agents.example", /must not contain a user name or password/],
    ["https://agents.example?a=1", /must not contain a query or fragment/],
    ["https://agents.example/?", /must not contain a query or fragment/],
    ["https://agents.example/#x", /must not contain a query or fragment/],
    [`https://agents.example/${"x".repeat(4096)}`, /expected at most 4096 bytes/],
    ["agents.example", /expected a URL/],
    ["", /expected a URL/],
    [5, /expected a URL/],
  ])("may not name %s as the public address", (publicUrl, expected) => {
    const said = problem({ publicUrl });
    expect(said).toMatch(/^publicUrl: /);
    expect(said).toMatch(expected);
    expect(said).not.toContain("secret");
  });

  it("that is a directory or cannot be read is refused, rather than overlooked", () => {
    mkdirSync(path("settings.json"));
    expect(() => readSettingsFile(path("settings.json"))).toThrow("it is not a file");
    if (process.platform === "win32" || process.getuid?.() === 0) return;
    writeFileSync(path("locked.json"), "{}");
    chmodSync(path("locked.json"), 0);
    expect(() => readSettingsFile(path("locked.json"))).toThrow("it cannot be read (EACCES)");
  });
});
