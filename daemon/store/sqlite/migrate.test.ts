import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { makeSchema1, schema1Rows } from "../../../test/fixtures/schema-1.ts";
import { useTemporaryDirectory } from "../../../test/fixtures/temporary-directory.ts";
import { checkStored } from "../../../test/properties/invariants.ts";
import { initialSchema } from "../migrations/0001-initial.ts";
import { outsideSchema } from "../migrations/0002-outside.ts";
import { SCHEMA_VERSION } from "../migrations/index.ts";
import { readAside } from "./aside.ts";
import { inspectDatabase } from "./inspect.ts";
import { migrate } from "./migrate.ts";
import { openDatabase } from "./open.ts";

const path = useTemporaryDirectory();
const onUnix = process.platform === "win32" ? it.skip : it;
const NOW = Date.UTC(2026, 0, 1);
const STAMP = "20260101T000000Z";

/** Brings `file` up to date and closes it. Gives what opening reported. */
function open(file: string, now = NOW) {
  const { writer, reader, report } = openDatabase(file, now);
  reader.close();
  writer.close();
  return report;
}

/** Applies migrations that were never released. */
function migrateWith(file: string, migrations: readonly string[], now = NOW) {
  const connection = new Database(file);
  try {
    connection.pragma("foreign_keys = ON");
    return migrate(connection, now, migrations);
  } finally {
    connection.close();
  }
}

/** Every file but the database itself. */
const others = () => readdirSync(path()).filter((name) => name !== "intercom.db");

describe("bringing data up to date", () => {
  it("keeps every row, and a copy of how it was", () => {
    const file = path("intercom.db");
    makeSchema1(file);
    const before = schema1Rows(file);
    expect(Object.keys(before)).toHaveLength(13);
    for (const rows of Object.values(before)) expect(rows).not.toEqual([]);
    const { migration } = open(file);
    const backup = `${file}.schema1-backup-${STAMP}`;
    expect(migration).toEqual({ from: 1, backup });
    expect(schema1Rows(file)).toEqual(before);
    expect(inspectDatabase(file)).toMatchObject({ ours: true, schema: SCHEMA_VERSION, problems: [] });
    expect(inspectDatabase(backup)).toMatchObject({ ours: true, schema: 1, problems: [] });
    expect(schema1Rows(backup)).toEqual(before);
    readAside(file, (database) => checkStored(database, Date.UTC(2025, 0, 1)));
    expect(others()).toEqual([basename(backup)]);
    expect(open(file).migration).toBeUndefined();
    expect(others()).toEqual([basename(backup)]);
  });

  it("copies what is still in the log of a daemon that was killed", () => {
    const file = path("intercom.db");
    makeSchema1(file);
    const script = `
      import Database from ${JSON.stringify(import.meta.resolve("better-sqlite3"))};
      const database = new Database(${JSON.stringify(file)});
      database.exec("UPDATE scopes SET id = 'only in the log'");
      process.kill(process.pid, "SIGKILL");`;
    spawnSync(process.execPath, ["--input-type=module", "-e", script]);
    expect(existsSync(`${file}-wal`)).toBe(true);
    const { migration, recovered } = open(file);
    expect(recovered).toBe(true);
    expect(schema1Rows(migration?.backup as string).scopes).toMatchObject([{ id: "only in the log" }]);
  });

  onUnix("keeps the copy for the user alone", () => {
    const file = path("intercom.db");
    makeSchema1(file);
    chmodSync(file, 0o644);
    const umask = process.umask(0);
    try {
      expect(statSync(open(file).migration?.backup as string).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
    }
  });

  it("keeps the newest three copies, of whatever version, and nothing else is touched", () => {
    const file = path("intercom.db");
    makeSchema1(file);
    writeFileSync(path("intercom.db.schema1-backup-mine"), "");
    writeFileSync(path("intercom.db.before-restore-20200101T000000Z"), "");
    const steps = [initialSchema, outsideSchema, ...[3, 4, 5, 6].map((n) => `CREATE TABLE t${n} (x)`)];
    for (const [index, now] of [NOW, NOW, NOW + 1000, NOW + 2000, NOW + 2000].entries()) {
      migrateWith(file, steps.slice(0, index + 2), now);
    }
    expect(others().sort()).toEqual([
      "intercom.db.before-restore-20200101T000000Z",
      "intercom.db.schema1-backup-mine",
      "intercom.db.schema3-backup-20260101T000001Z",
      "intercom.db.schema4-backup-20260101T000002Z",
      "intercom.db.schema5-backup-20260101T000002Z",
    ]);
  });

  it("takes several steps at once or not at all", () => {
    const file = path("intercom.db");
    makeSchema1(file);
    const before = readFileSync(file);
    expect(() => migrateWith(file, [initialSchema, outsideSchema, "CREATE TABLE scopes (x)"])).toThrow(
      expect.objectContaining({
        code: "INTERNAL",
        message: expect.stringMatching(
          /intercom\.db could not be brought from schema 1 to 3 \(table scopes already exists\)\. Nothing was changed/,
        ) as string,
      }),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(others()).toEqual([]);
    expect(open(file).migration).toMatchObject({ from: 1 });
  });

  it("makes a new file in one step, without a copy", () => {
    expect(open(path("intercom.db")).migration).toEqual({ from: 0, backup: undefined });
    expect(() => migrateWith(path("other.db"), [initialSchema, "CREATE TABLE scopes (x)"])).toThrow(/already exists/);
    const database = new Database(path("other.db"));
    expect(database.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
    expect(database.pragma("application_id", { simple: true })).toBe(0);
    database.close();
  });

  it("leaves the database of another program alone that counts its versions as we do", () => {
    const file = path("intercom.db");
    const database = new Database(file);
    database.exec("CREATE TABLE scopes (mine TEXT)");
    database.pragma("user_version = 1");
    database.close();
    expect(() => open(file)).toThrow(/is a database of another program/);
    expect(others()).toEqual([]);
  });
});

/** Statements of the migration, each followed by a chance to die. */
function dyingAfter(statement: number): string {
  const statements = outsideSchema.split(/;\n/).filter((sql) => sql.trim() !== "");
  return statements.map((sql, index) => (index === statement ? `${sql};\nSELECT die()` : sql)).join(";\n");
}

describe("a process that dies while it brings data up to date", () => {
  const count = outsideSchema.split(/;\n/).filter((sql) => sql.trim() !== "").length;

  it.each([Math.floor(count / 2), count - 1])("after statement %d: leaves the old data", (statement) => {
    const file = path("intercom.db");
    makeSchema1(file);
    const before = schema1Rows(file);
    const here = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    const script = `
      import Database from ${JSON.stringify(import.meta.resolve("better-sqlite3"))};
      import { migrate } from ${here("migrate.ts")};
      import { initialSchema } from ${here("../migrations/0001-initial.ts")};
      const database = new Database(${JSON.stringify(file)});
      database.function("die", () => process.kill(process.pid, "SIGKILL"));
      // Pages reach the log before the end, as they do when there are many.
      database.pragma("cache_size = 1");
      migrate(database, ${NOW}, [initialSchema, ${JSON.stringify(dyingAfter(statement))}]);`;
    const { signal, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
      encoding: "utf8",
    });
    expect({ signal, stderr }).toEqual({ signal: "SIGKILL", stderr: "" });
    const backup = `${file}.schema1-backup-${STAMP}`;
    expect(inspectDatabase(backup)).toMatchObject({ schema: 1, problems: [] });
    expect(inspectDatabase(file)).toMatchObject({ schema: 1, problems: [] });
    expect(schema1Rows(file)).toEqual(before);
    expect(open(file, NOW + 1000)).toMatchObject({ recovered: true, migration: { from: 1 } });
    expect(schema1Rows(file)).toEqual(before);
  });
});

onUnix("a copy that cannot be written keeps the data as it is, and says what is needed", () => {
  const file = path("intercom.db");
  makeSchema1(file, 500);
  const before = readFileSync(file);
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, "open.ts"))};
    try { openDatabase(${JSON.stringify(file)}, ${NOW}); } catch (error) {
      process.stdout.write(JSON.stringify({ ...error.toValue() }));
    }`;
  // No file may grow beyond 128 KiB: writing the copy fails as it does on a full disk.
  const run = `ulimit -f 256; exec "$0" --input-type=module-typescript -e "$1"`;
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", run, process.execPath, script], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject({
    code: "INTERNAL",
    message: expect.stringMatching(
      /backup that is made before could not be written to .*Nothing was changed\. It takes about 1 MiB/,
    ) as string,
    details: { reason: "backup_failed" },
  });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(others()).toEqual([]);
});
