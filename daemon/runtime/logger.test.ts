import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { jsonLine, prettyLine, rotatingFileSink, stderrSink } from "./log-sinks.ts";
import { createLogger, type LogLevel, type LogRecord, logLevelFrom } from "./logger.ts";
import { REDACTED } from "./redact.ts";

const TOKEN = "dGhpcyBpcyBhIHRva2VuIG9mIDMyIGJ5dGVzIGluIHV";

function collect(level: LogLevel = "debug", fields?: Record<string, unknown>) {
  const records: LogRecord[] = [];
  const sink = { write: (record: LogRecord) => void records.push(record) };
  return { records, log: createLogger({ level, sinks: [sink], now: () => 0, fields }) };
}

describe("logger", () => {
  it("writes records of its level and above, with the fields of all its parents", () => {
    const { records, log } = collect("warn", { pid: 1 });
    log.debug("no");
    log.info("no");
    log.child({ scopeId: "s" }).child({ agentId: "a" }).warn("careful", { count: 2 });
    log.error("broken");
    expect(records).toEqual([
      {
        time: "1970-01-01T00:00:00.000Z",
        level: "warn",
        message: "careful",
        fields: { pid: 1, scopeId: "s", agentId: "a", count: 2 },
      },
      { time: "1970-01-01T00:00:00.000Z", level: "error", message: "broken", fields: { pid: 1 } },
    ]);
    const silent = collect("silent");
    silent.log.error("nothing");
    expect(silent.records).toEqual([]);
  });

  it("takes its level from the environment", () => {
    expect(logLevelFrom({ AGENT_INTERCOM_LOG: "DEBUG" })).toBe("debug");
    expect(logLevelFrom({ AGENT_INTERCOM_LOG: "loud" })).toBe("info");
    expect(logLevelFrom({}, "warn")).toBe("warn");
  });

  it("removes credentials and words by name, at any depth", () => {
    const { records, log } = collect();
    const keys = [
      "token",
      "adminToken",
      "agentToken",
      "scopeToken",
      "Authorization",
      "body",
      "answer",
      "question",
      "text",
      "note",
    ];
    for (const key of keys)
      log.child({ outer: { [key]: "bare" } }).info("x", { list: [{ [key]: { deep: "deeper" } }] });
    for (const record of records) expect(JSON.stringify(record)).not.toMatch(/bare|deeper/);
    expect(records[0]?.fields).toEqual({ outer: { token: REDACTED }, list: [{ token: REDACTED }] });
  });

  it("removes what looks like a bearer token anywhere, and keeps ids and digests", () => {
    const { records, log } = collect();
    const id = `agent_${"0".repeat(32)}`;
    log.info(`called with ${TOKEN}.`, {
      url: `/x?key=${TOKEN}`,
      header: "bearer short",
      id,
      digest: "a".repeat(64),
      error: new Error(`bad ${TOKEN}`),
    });
    const line = JSON.stringify(records[0]);
    expect(line).not.toContain(TOKEN);
    expect(line).not.toContain("short");
    expect(line).toContain(id);
    expect(line).toContain("a".repeat(64));
  });

  it("survives circles, depth, errors with causes and odd values", () => {
    const { records, log } = collect();
    const circle: Record<string, unknown> = {
      big: 1n,
      when: new Date(0),
      bytes: new Uint8Array(3),
      call: () => 1,
      none: undefined,
    };
    circle.self = circle;
    log.error("odd", {
      circle,
      error: Object.assign(new Error("outer", { cause: new Error("inner") }), { code: "EX" }),
    });
    const fields = records[0]?.fields as { circle: object; error: { code: string; cause: { message: string } } };
    expect(fields.circle).toEqual({
      big: "1",
      when: "1970-01-01T00:00:00.000Z",
      bytes: "[3 bytes]",
      self: "[circular]",
    });
    expect(fields.error).toMatchObject({ name: "Error", code: "EX", message: "outer", cause: { message: "inner" } });
    expect(() => jsonLine(records[0] as LogRecord)).not.toThrow();
  });
});

describe("lines", () => {
  const record: LogRecord = {
    time: "2026-01-02T03:04:05.678Z",
    level: "warn",
    message: "up\u001b[31m\nnext",
    fields: { port: 1, name: "a b", level: "fake" },
  };

  it("are one JSON object each, and no field can pose as the record's own", () => {
    const line = jsonLine(record);
    expect(line.endsWith("\n")).toBe(true);
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).toEqual({
      time: record.time,
      level: "warn",
      message: record.message,
      port: 1,
      name: "a b",
    });
  });

  it("are short and harmless for a person", () => {
    expect(prettyLine(record)).toBe('03:04:05.678 warn  up\\e[31m\\nnext  port=1 name="a b" level=fake\n');
  });

  it("go to standard error pretty on a terminal and as JSON elsewhere", () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line), on: () => {} };
    stderrSink({ ...stream, isTTY: true }).write(record);
    stderrSink(stream).write(record);
    expect(lines).toEqual([prettyLine(record), jsonLine(record)]);
  });
});

describe("rotating file", () => {
  const directory = mkdtempSync(join(tmpdir(), "intercom-log-"));
  afterEach(() => {
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
  });
  const record = (message: string): LogRecord => ({ time: "t", level: "info", message, fields: {} });

  it("keeps the newest lines in a bounded number of files", () => {
    const sink = rotatingFileSink({ directory, name: "d", maxBytes: 100, files: 3 });
    for (let n = 0; n < 20; n += 1) sink.write(record(`line ${n}`));
    sink.close?.();
    expect(readdirSync(directory).sort()).toEqual(["d.1.log", "d.2.log", "d.log"]);
    const text = ["d.2.log", "d.1.log", "d.log"].map((name) => readFileSync(join(directory, name), "utf8")).join("");
    const messages = text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toEqual(
      Array.from({ length: messages.length }, (_, index) => `line ${20 - messages.length + index}`),
    );
    if (process.platform !== "win32") expect(lstatSync(sink.file).mode & 0o777).toBe(0o600);
  });

  it("continues an existing file", () => {
    writeFileSync(join(directory, "d.log"), "old\n");
    const sink = rotatingFileSink({ directory, name: "d" });
    sink.write(record("new"));
    sink.close?.();
    expect(readFileSync(sink.file, "utf8")).toMatch(/^old\n\{.*new.*\}\n$/);
  });

  it("loses a line rather than the daemon when the disk refuses", () => {
    writeFileSync(join(directory, "not-a-directory"), "");
    const sink = rotatingFileSink({ directory: join(directory, "not-a-directory"), name: "d" });
    expect(() => sink.write(record("lost"))).not.toThrow();
    rmSync(join(directory, "not-a-directory"));
    sink.write(record("kept"));
    sink.close?.();
    expect(readFileSync(sink.file, "utf8")).toContain("kept");
  });
});
