import { describe, expect, it } from "vitest";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { Printer } from "./printer.ts";

function make(options: { json?: boolean; tty?: boolean; env?: NodeJS.ProcessEnv } = {}) {
  const said = { out: "", err: "" };
  const stream = (name: "out" | "err") => ({
    write: (text: string) => (said[name] += text),
    isTTY: options.tty ?? false,
    columns: 60,
  });
  const io = { stdout: stream("out"), stderr: stream("err"), env: options.env ?? {}, now: () => 0 } as unknown as Io;
  return { said, out: new Printer(io, options.json ?? false) };
}

describe("printer", () => {
  it("keeps results on standard output and everything else on standard error", () => {
    const { said, out } = make();
    out.result({ a: 1 }, () => "text");
    out.notice("by the way");
    out.hint("only for people");
    expect(said).toEqual({ out: "text\n", err: "by the way\n" });
  });

  it("prints one JSON document, or a line for each item, and no notices", () => {
    const { said, out } = make({ json: true });
    out.result({ a: 1 }, () => "text");
    out.item({ b: 2 }, () => "text");
    out.notice("by the way");
    expect(said).toEqual({ out: '{\n  "a": 1\n}\n{"b":2}\n', err: "" });
  });

  it("uses colour and the width only of a terminal, and no colour against the reader's wish", () => {
    const terminal = make({ tty: true });
    expect(terminal.out.width).toBe(60);
    expect(terminal.out.paint("red", "x")).toBe("\u001b[31mx\u001b[39m");
    terminal.out.hint("next");
    expect(terminal.said.err).toContain("next");
    expect(make({ tty: true, env: { NO_COLOR: "1" } }).out.paint("red", "x")).toBe("x");
    expect(make({ tty: true, env: { TERM: "dumb" } }).out.paint("red", "x")).toBe("x");
    expect(make().out.paint("red", "x")).toBe("x");
    expect(make().out.width).toBeUndefined();
  });

  it("tells errors with the next step, harmlessly, and as JSON for programs", () => {
    const error = new CliError("No \u001b[2Jsuch thing.", { exitCode: 4, code: "NOT_FOUND", hint: "Look:\n  here" });
    const plain = make();
    plain.out.error(error);
    expect(plain.said.err).toBe("Error: No \\e[2Jsuch thing.\nLook:\n  here\n");
    const json = make({ json: true });
    json.out.error(error);
    expect(JSON.parse(json.said.err)).toEqual({
      error: { code: "NOT_FOUND", message: "No \u001b[2Jsuch thing.", hint: "Look:\n  here", exitCode: 4 },
    });
    expect(json.said.out).toBe("");
  });
});
