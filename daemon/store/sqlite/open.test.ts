import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { type ErrorCode, type IntercomError, isIntercomError } from "../../../protocol/index.ts";
import { useTemporaryDirectory } from "../../../test/fixtures/temporary-directory.ts";
import { SCHEMA_VERSION } from "../migrations/index.ts";
import { openDatabase } from "./open.ts";
import { SqliteStore } from "./sqlite-store.ts";

const path = useTemporaryDirectory();
const driver = createRequire(import.meta.url).resolve("better-sqlite3");
const onUnix = process.platform === "win32" ? it.skip : it;

function open(file: string) {
  const opened = openDatabase(file, Date.UTC(2026, 0, 1));
  return {
    ...opened,
    close: () => {
      opened.reader.close();
      opened.writer.close();
    },
  };
}

function refusal(file: string): IntercomError {
  try {
    open(file).close();
  } catch (error) {
    if (isIntercomError(error)) return error;
    throw error;
  }
  throw new Error(`${file} was not refused`);
}

function expectRefusal(file: string, code: ErrorCode, message: RegExp): void {
  const error = refusal(file);
  expect(error.message).toMatch(message);
  expect(error.code).toBe(code);
}

/** A database whose process died with work in the log. */
async function leaveUnclean(file: string): Promise<void> {
  await SqliteStore.open(file).close();
  const script = `
    const database = new (require(${JSON.stringify(driver)}))(${JSON.stringify(file)});
    database.pragma("journal_mode = WAL");
    database.exec("INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES ('kept', 'x', 'open', 0)");
    process.kill(process.pid, "SIGKILL");`;
  expect(spawnSync(process.execPath, ["-e", script]).signal).toBe("SIGKILL");
  expect(existsSync(`${file}-wal`)).toBe(true);
}

describe("opening the database", () => {
  it("creates it with the current schema and the settings that make a commit durable", () => {
    const { writer, reader, report, close } = open(path("intercom.db"));
    expect(report).toMatchObject({ recovered: false, migration: { from: 0, backup: undefined }, replaced: undefined });
    const setting = (name: string) => writer.pragma(name, { simple: true });
    expect(setting("user_version")).toBe(SCHEMA_VERSION);
    expect(setting("journal_mode")).toBe("wal");
    expect(setting("synchronous")).toBe(2);
    expect(setting("foreign_keys")).toBe(1);
    expect(reader.readonly).toBe(true);
    const loose = writer.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0").pluck();
    expect(loose.all().filter((name) => !String(name).startsWith("sqlite_"))).toEqual([]);
    close();
  });

  it("opens it again without doing anything", () => {
    open(path("intercom.db")).close();
    const { report, close } = open(path("intercom.db"));
    expect(report).toEqual({ recovered: false, migration: undefined, replaced: undefined });
    close();
  });

  onUnix("is for the user alone, log included, whatever it was before", () => {
    const file = path("intercom.db");
    const umask = process.umask(0);
    try {
      const { close } = open(file);
      for (const suffix of ["", "-wal", "-shm"]) expect(statSync(file + suffix).mode & 0o777, suffix).toBe(0o600);
      close();
      chmodSync(file, 0o666);
      open(file).close();
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
    }
  });

  it("takes an empty file for a new one", () => {
    const file = path("intercom.db");
    // An empty database has schema 0.
    const database = new Database(file);
    database.exec("VACUUM");
    database.close();
    const { report, close } = open(file);
    expect(report.migration).toEqual({ from: 0, backup: undefined });
    close();
  });

  it("leaves the database of another program alone", () => {
    const file = path("intercom.db");
    const database = new Database(file);
    database.exec("CREATE TABLE tasks (mine TEXT); INSERT INTO tasks VALUES ('precious')");
    database.close();
    expect(refusal(file)).toMatchObject({ code: "CONFLICT", message: expect.stringMatching(/of another program/) });
    const after = new Database(file);
    expect(after.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()).toEqual(["tasks"]);
    expect(after.pragma("user_version", { simple: true })).toBe(0);
    after.close();
  });

  it("refuses data of a newer program with a sentence, and leaves it alone", () => {
    const file = path("intercom.db");
    open(file).close();
    const database = new Database(file);
    database.pragma(`user_version = ${SCHEMA_VERSION + 6}`);
    database.close();
    const before = readFileSync(file);
    const error = refusal(file);
    expect(error.code).toBe("CONFLICT");
    expect(error.message).toMatch(/newer Agent Intercom \(schema \d+, this one knows \d+\)\. Update Agent Intercom\./);
    expect(error.details).toEqual({ schema: SCHEMA_VERSION + 6, supported: SCHEMA_VERSION });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it("says when the file is no database", () => {
    const file = path("intercom.db");
    writeFileSync(file, "This is a shopping list.\n".repeat(400));
    expectRefusal(file, "INTERNAL", /is damaged or not a database\. Restore a backup or move it away\./);
  });

  it("says when the file is damaged, after an unclean stop", async () => {
    const file = path("intercom.db");
    await leaveUnclean(file);
    const bytes = readFileSync(file);
    // Everything but the first page, where the schema's root is.
    bytes.fill(0xa5, 4096);
    writeFileSync(file, bytes);
    expectRefusal(file, "INTERNAL", /is damaged .*Restore a backup or move it away\./);
  });

  it("notices that the last daemon did not close it, and keeps what was committed", async () => {
    const file = path("intercom.db");
    await leaveUnclean(file);
    const { report, writer, close } = open(file);
    expect(report.recovered).toBe(true);
    expect(writer.prepare("SELECT id FROM scopes").pluck().all()).toEqual(["kept"]);
    close();
    const again = open(file);
    expect(again.report.recovered).toBe(false);
    again.close();
  });

  it("refuses a file with a second name", () => {
    const file = path("intercom.db");
    open(file).close();
    linkSync(file, path("copy.db"));
    expectRefusal(file, "CONFLICT", /more than one name \(hard link\)/);
    expectRefusal(path("copy.db"), "CONFLICT", /more than one name \(hard link\)/);
  });

  onUnix("refuses a symbolic link, dangling or not", () => {
    open(path("real.db")).close();
    symlinkSync(path("real.db"), path("link.db"));
    symlinkSync(path("nothing.db"), path("dangling.db"));
    expectRefusal(path("link.db"), "CONFLICT", /not a regular file/);
    expectRefusal(path("dangling.db"), "CONFLICT", /not a regular file/);
    expect(existsSync(path("nothing.db"))).toBe(false);
  });

  it("refuses a directory", () => {
    expectRefusal(path(), "CONFLICT", /not a regular file/);
  });
});
