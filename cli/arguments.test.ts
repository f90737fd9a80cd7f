import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { durationMs, given, list, port, repeated, wholeNumber } from "./arguments.ts";
import { contextItems } from "./context-items.ts";
import type { Io } from "./io.ts";
import { textOrStdin } from "./stdin.ts";

describe("arguments", () => {
  it("reads numbers, ports and durations, and nothing that only looks like them", () => {
    expect(wholeNumber(1, 10)("10")).toBe(10);
    for (const wrong of ["0", "11", "1.5", "1e1", "", " 5", "0x5", "-1"])
      expect(() => wholeNumber(1, 10)(wrong)).toThrow(/whole number from 1 to 10/);
    expect(port("0")).toBe(0);
    expect(() => port("65536")).toThrow();
    expect(durationMs("2m")).toBe(120_000);
    expect(() => durationMs("later")).toThrow(/30s, 5m/);
  });

  it("collects lists", () => {
    expect(["a,b", "c", ""].reduce<string[]>((all, each) => list(each, all), [])).toEqual(["a", "b", "c"]);
    expect(["a,b", "c"].reduce<string[]>((all, each) => repeated(each, all), [])).toEqual(["a,b", "c"]);
    expect(given({ a: 1, b: undefined, c: null, d: false })).toEqual({ a: 1, c: null, d: false });
  });

  it("turns texts, files and pages into context", () => {
    expect(contextItems(["note"], ["file:src/a.ts", "https://example.org/x"])).toEqual([
      { kind: "text", title: "Context", text: "note" },
      { kind: "file", title: "src/a.ts", uri: pathToFileURL(resolve("src/a.ts")).href },
      { kind: "url", title: "https://example.org/x", uri: "https://example.org/x" },
    ]);
    expect(contextItems()).toEqual([]);
    expect(() => contextItems([], ["src/a.ts"])).toThrow(/expected file:PATH or a URL/);
  });
});

describe("text from the command line or standard input", () => {
  const io = (text: string, isTTY = false) =>
    ({
      stdin: Object.assign(
        (async function* () {
          yield Buffer.from(text);
        })(),
        { isTTY },
      ),
    }) as unknown as Io;

  it("reads standard input only when there is no text", async () => {
    expect(await textOrStdin("given", io("piped"), "text")).toBe("given");
    expect(await textOrStdin("-", io("piped\n"), "text")).toBe("piped");
    expect(await textOrStdin(undefined, io("two\nlines\r\n"), "text")).toBe("two\nlines");
    await expect(textOrStdin(undefined, io("", true), "answer")).rejects.toThrow(/The answer is missing/);
    await expect(textOrStdin("-", io("x".repeat(2 ** 20 + 1)), "text")).rejects.toThrow(/larger than/);
  });
});
