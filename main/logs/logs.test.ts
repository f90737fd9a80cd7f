import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { openDesktopLogs } from "./desktop-log.ts";
import { lastLines } from "./last-lines.ts";
import { LineSplitter } from "./line-splitter.ts";

it("pieces become lines, wherever they were cut", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => void lines.push(line));
  for (const piece of ["on", "e\r\ntw", "o\n\n", "x".repeat(9000), "y\nrest"]) splitter.add(piece);
  splitter.end();
  splitter.end();
  expect(lines).toEqual(["one", "two", "x".repeat(8192), "y", "rest"]);
});

it("the last lines of a file are whole ones, and none where there is no file", () => {
  const file = join(temporaryFolder(), "some.log");
  expect(lastLines(file, 5)).toEqual([]);
  writeFileSync(file, "one\ntwo\nthree\n");
  expect(lastLines(file, 2)).toEqual(["two", "three"]);
  writeFileSync(file, `${"x".repeat(300_000)}\nlast\n`);
  expect(lastLines(file, 5)).toEqual(["last"]);
});

it("the desktop's log is JSON of this process without secrets, beside that of the daemon", () => {
  const dataDir = join(temporaryFolder(), "data");
  const logDir = join(dataDir, "logs");
  const logs = openDesktopLogs({ directories: { dataDir, logDir }, env: {}, pid: 42 });
  const token = "t".repeat(43);
  logs.logger.info("begins", { adminToken: token, place: "here" });
  appendFileSync(join(logDir, "daemon.log"), "from the file\n");
  for (let line = 0; line < 199; line += 1) logs.daemonSaid(`line ${line} ${token}`);
  expect(logs.ofDaemon()).toHaveLength(200);
  expect(logs.ofDaemon()[0]).toBe("from the file");
  logs.daemonSaid("the last words");
  expect(logs.ofDaemon().at(-1)).toBe("the last words");
  expect(logs.ofDaemon()[0]).toBe("line 0 [redacted]");
  logs.close();
  const [first = ""] = readFileSync(join(logDir, "desktop.log"), "utf8").split("\n");
  expect(JSON.parse(first)).toMatchObject({
    level: "info",
    message: "begins",
    pid: 42,
    adminToken: "[redacted]",
    place: "here",
  });
  expect(readFileSync(join(logDir, "desktop.log"), "utf8")).not.toContain(token);
  expect(logs.ofDesktop()).toHaveLength(200);
  expect(readdirSync(logDir).toSorted()).toEqual(["daemon.log", "desktop.log"]);
});
