import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AdminClient } from "../../../client/index.ts";
import { restoreBackup, verifyBackup } from "../../../daemon/index.ts";
import { copyDatabase } from "../../../daemon/store/index.ts";
import { isIntercomError } from "../../../protocol/index.ts";
import { makeSchema1 } from "../../fixtures/schema-1.ts";
import { useTemporaryDirectory } from "../../fixtures/temporary-directory.ts";
import { signIn, signInCode } from "../../support/browser.ts";
import { TestDaemon } from "../../support/daemon.ts";

const path = useTemporaryDirectory();
const NOW = Date.UTC(2026, 4, 4, 12);
const STAMP = "20260504T120000Z";
const onUnix = process.platform === "win32" ? it.skip : it;

let intercom: TestDaemon;
beforeEach(async () => {
  intercom = await TestDaemon.start({ dataDir: path("data"), runtimeDir: path("run") });
});
afterEach(() => intercom.close());

const databaseFile = () => path("data", "intercom.db");
const aside = () => `${databaseFile()}.before-restore-${STAMP}`;
const others = () =>
  readdirSync(path("data")).filter((name) => name !== "intercom.db" && name !== "daemon.lock" && name !== "logs");

/** Makes scopes of these names, and a backup of all there is, as the daemon does it. */
async function backUp(file: string, ...scopes: string[]): Promise<string> {
  for (const id of scopes) await intercom.admin.call("createScope", { id });
  copyDatabase(databaseFile(), path(file));
  return path(file);
}

async function downloadBackup(file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of new AdminClient({ address: intercom.address, adminToken: intercom.adminToken }).backup())
    chunks.push(chunk);
  writeFileSync(path(file), Buffer.concat(chunks));
  return path(file);
}

const restore = (file: string, replace = true) =>
  restoreBackup({ file, dataDir: path("data"), runtimeDir: path("run"), now: NOW, replace });

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (isIntercomError(error)) return error.toValue();
    throw error;
  }
  throw new Error("It was not refused");
}

const scopeIds = async () => (await intercom.admin.call("listScopes", {})).map(({ scopeId }) => scopeId);

/** Everything in the data directory, byte by byte. */
const snapshot = () =>
  Object.fromEntries(
    readdirSync(path("data"))
      .filter((name) => name.startsWith("intercom.db"))
      .map((name) => [name, readFileSync(path("data", name)).toString("base64")]),
  );

describe("verifying a backup", () => {
  it("tells what it holds, and leaves no trace", async () => {
    const scope = await intercom.scope({ linkPolicy: "open" });
    const [ada, bob] = await scope.agents("ada", "bob");
    await ada?.tell(bob as never);
    const file = await downloadBackup("b.db");
    const before = readFileSync(file);
    expect(verifyBackup(file)).toMatchObject({
      file,
      bytes: before.length,
      counts: { scopes: 1, agents: 2, messages: 1, tasks: 0 },
      problems: [],
    });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(path()).sort()).toEqual(["b.db", "data", "run"]);
  });

  it("reads a raw copy of the database, with its log or without", async () => {
    await backUp("ignored.db", "one");
    for (const suffix of ["", "-wal"]) copyFileSync(databaseFile() + suffix, path(`raw.db${suffix}`));
    expect(verifyBackup(path("raw.db"))).toMatchObject({ counts: { scopes: 1 }, problems: [] });
    expect(existsSync(path("raw.db-wal"))).toBe(true);
    await intercom.daemon.stop();
    copyFileSync(databaseFile(), path("clean.db"));
    expect(verifyBackup(path("clean.db"))).toMatchObject({ counts: { scopes: 1 }, problems: [] });
    expect(readdirSync(path()).filter((name) => name.startsWith("clean.db"))).toEqual(["clean.db"]);
    await intercom.restart();
  });

  it("finds what is wrong", async () => {
    const file = await backUp("b.db", "one", "two");
    const spoiled = (name: string, spoil: (copy: string) => void): readonly string[] => {
      copyFileSync(file, path(name));
      spoil(path(name));
      return verifyBackup(path(name)).problems;
    };
    const sql = (text: string) => (copy: string) => {
      const database = new Database(copy);
      database.pragma("foreign_keys = OFF");
      database.exec(text);
      database.close();
    };
    expect(spoiled("text.db", (copy) => writeFileSync(copy, "a shopping list"))).toEqual([
      expect.stringMatching(/damaged, or not a database at all/),
    ]);
    expect(spoiled("empty.db", (copy) => writeFileSync(copy, ""))).toEqual([expect.stringMatching(/not one of Agent/)]);
    expect(spoiled("short.db", (copy) => truncateSync(copy, 20_480))[0]).toMatch(/^It is damaged/);
    const holed = (copy: string) => {
      const bytes = readFileSync(copy);
      bytes.fill(0xa5, 8192, 65_536);
      writeFileSync(copy, bytes);
    };
    expect(spoiled("holed.db", holed)[0]).toMatch(/^It is damaged/);
    expect(spoiled("foreign.db", sql("PRAGMA application_id = 7"))).toEqual([
      "It is a database, but not one of Agent Intercom.",
    ]);
    expect(spoiled("newer.db", sql("PRAGMA user_version = 99"))).toEqual([
      expect.stringMatching(/written by a newer Agent Intercom \(schema 99, this one knows \d+\)\. Update first/),
    ]);
    expect(
      spoiled("orphan.db", sql("INSERT INTO conversations (scope_no, left_no, right_no) VALUES (4711, 1, 2)")),
    ).toEqual(["It is damaged: 1 rows of conversations without scopes."]);
    const withoutIndex = (copy: string) => {
      const database = new Database(copy);
      database.unsafeMode(true);
      database.exec("PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'tasks_created'");
      database.close();
    };
    expect(spoiled("index.db", withoutIndex)[0]).toMatch(/^It is damaged: .*never used/);
  });

  it("refuses what is not there or no file", () => {
    expect(refusal(() => verifyBackup(path("nothing.db")))).toMatchObject({ code: "NOT_FOUND" });
    expect(refusal(() => verifyBackup(path("data")))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("restoring a backup", () => {
  it("brings back what was there, keeps what was there since, and can be undone", async () => {
    const file = await backUp("b.db", "early");
    const { scopeToken } = await intercom.admin.call("createScope", { id: "late" });
    await intercom.daemon.stop();
    expect(restore(file)).toMatchObject({ databaseFile: databaseFile(), previousData: aside() });
    expect(others()).toEqual([`intercom.db.before-restore-${STAMP}`]);
    await intercom.restart();
    expect(await scopeIds()).toEqual(["early"]);
    expect(await intercom.refused("getScope", {}, { token: scopeToken })).toMatchObject({ code: "UNAUTHENTICATED" });
    await intercom.daemon.stop();
    expect(restore(aside()).previousData).toBe(`${aside()}-2`);
    await intercom.restart();
    expect(await scopeIds()).toEqual(["early", "late"]);
    expect(await intercom.call("getScope", {}, { token: scopeToken })).toMatchObject({ scopeId: "late" });
  });

  it("signs every browser out, and lets none in by a link of before", async () => {
    await signInCode(intercom);
    const browser = await signIn(intercom);
    const file = await backUp("b.db", "one");
    await intercom.daemon.stop();
    restore(file);
    await intercom.restart();
    const headers = { ...browser.headers, Origin: intercom.address };
    expect(await intercom.refused("overview", {}, { headers })).toMatchObject({ details: { reason: "unknown" } });
    expect(await intercom.admin.call("listUiSessions", {})).toEqual([]);
    const codes = "SELECT count(*) AS n FROM ui_sign_in_codes";
    expect(intercom.sql((database) => database.prepare(codes).get())).toEqual({ n: 0 });
    // A copy may run beside what it is a copy of: their cookies have names of their own.
    const [before, after] = [browser, await signIn(intercom)].map(({ cookie }) => cookie.split("=")[0]);
    expect(after).not.toBe(before);
  });

  it("keeps the log with the data of a daemon that was killed", async () => {
    const file = await backUp("b.db", "early");
    await intercom.admin.call("createScope", { id: "late" });
    const killed: [string, Buffer][] = ["", "-wal", "-shm"].map((suffix) => [
      suffix,
      readFileSync(databaseFile() + suffix),
    ]);
    await intercom.daemon.stop();
    for (const [suffix, bytes] of killed) writeFileSync(databaseFile() + suffix, bytes);
    restore(file);
    expect(existsSync(`${databaseFile()}-wal`)).toBe(false);
    expect(verifyBackup(databaseFile()).counts).toMatchObject({ scopes: 1 });
    expect(existsSync(`${aside()}-wal`)).toBe(true);
    expect(verifyBackup(aside()).counts).toMatchObject({ scopes: 2 });
    await intercom.restart();
  });

  it("replaces data that is damaged", async () => {
    const file = await backUp("b.db", "early");
    await intercom.daemon.stop();
    writeFileSync(databaseFile(), Buffer.alloc(40_960, 0xa5));
    restore(file);
    await intercom.restart();
    expect(await scopeIds()).toEqual(["early"]);
  });

  it("fills a place where there was nothing, for this user alone", async () => {
    const file = await backUp("b.db", "early");
    chmodSync(file, 0o644);
    const outcome = restoreBackup({ file, dataDir: path("new"), runtimeDir: path("run"), now: NOW, replace: false });
    expect(outcome.previousData).toBeUndefined();
    expect(readdirSync(path("new")).sort()).toEqual(["daemon.lock", "intercom.db"]);
    if (process.platform !== "win32") {
      expect(statSync(path("new")).mode & 0o777).toBe(0o700);
      expect(statSync(path("new", "intercom.db")).mode & 0o777).toBe(0o600);
    }
  });

  it("of an earlier version is brought up to date by the next start, after a backup of its own", async () => {
    makeSchema1(path("old.db"));
    await intercom.daemon.stop();
    expect(restore(path("old.db")).backup).toMatchObject({ schema: 1, problems: [] });
    await intercom.restart();
    expect(await scopeIds()).toEqual(["kept"]);
    expect(others().filter((name) => name.includes("schema1-backup"))).toHaveLength(1);
  });

  it("is refused while a daemon runs, and keeps one from starting", async () => {
    const file = await backUp("b.db", "early");
    expect(refusal(() => restore(file))).toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining(`in use by the daemon at ${intercom.address}`) as string,
      details: { reason: "already_running" },
    });
    await intercom.daemon.stop();
    // As a restore has it while it is under way.
    const held = spawn(
      process.execPath,
      [
        "--input-type=module-typescript",
        "-e",
        `import { claimDirectory } from ${JSON.stringify(join(import.meta.dirname, "../../../daemon/claims.ts"))};
         globalThis.lock = claimDirectory(${JSON.stringify(path("data", "daemon.lock"))}, "It", { runFile: "/nowhere/run.json" });
         process.stdout.write("held"); setInterval(() => {}, 1000);`,
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      await once(held.stdout, "data");
      expect(refusal(() => restore(file))).toMatchObject({ code: "CONFLICT", details: { reason: "already_running" } });
      await expect(intercom.restart()).rejects.toMatchObject({ code: "CONFLICT" });
    } finally {
      held.kill("SIGKILL");
      await once(held, "exit");
    }
    await intercom.restart();
  });

  it("changes nothing when it is refused", async () => {
    const file = await backUp("b.db", "early");
    await intercom.daemon.stop();
    const before = snapshot();
    expect(refusal(() => restore(file, false))).toMatchObject({ code: "CONFLICT", details: { reason: "data_exists" } });
    const newer = new Database(file);
    newer.pragma("user_version = 99");
    newer.close();
    expect(refusal(() => restore(file))).toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/cannot be restored\. It was written by a newer Agent Intercom/) as string,
    });
    writeFileSync(path("text.db"), "a shopping list");
    expect(refusal(() => restore(path("text.db")))).toMatchObject({ code: "CONFLICT" });
    expect(refusal(() => restore(path("nothing.db")))).toMatchObject({ code: "NOT_FOUND" });
    expect(refusal(() => restore(databaseFile()))).toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/is the data itself/) as string,
    });
    symlinkSync(databaseFile(), path("link.db"));
    expect(refusal(() => restore(path("link.db")))).toMatchObject({ code: "CONFLICT" });
    expect(snapshot()).toEqual(before);
    await intercom.restart();
  });

  onUnix("keeps what was there when the copy cannot be written", async () => {
    const file = await backUp("b.db", "early");
    await intercom.daemon.stop();
    const before = snapshot();
    const script = `
      import { restoreBackup } from ${JSON.stringify(join(import.meta.dirname, "../../../daemon/index.ts"))};
      try {
        restoreBackup({ file: ${JSON.stringify(file)}, dataDir: ${JSON.stringify(path("data"))},
          runtimeDir: ${JSON.stringify(path("run"))}, now: ${NOW}, replace: true });
      } catch (error) { process.stdout.write(error.code + " " + error.message); }`;
    // Files may not grow beyond 64 KiB.
    const child = spawn("/bin/sh", [
      "-c",
      'ulimit -f 128; exec "$0" --input-type=module-typescript -e "$1"',
      process.execPath,
      script,
    ]);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await once(child, "close");
    expect(said).toMatch(/^INTERNAL The backup could not be copied to .*Nothing was changed\.$/);
    expect(snapshot()).toEqual(before);
    expect(others()).toEqual([]);
    await intercom.restart();
  });
});

describe("a restore that was cut off", () => {
  /** The state of the directory after the first `steps` of a restore, which is then found by whoever comes next. */
  async function cutOff(steps: number): Promise<void> {
    const file = await backUp("b.db", "early");
    await intercom.admin.call("createScope", { id: "late" });
    const log = readFileSync(`${databaseFile()}-wal`);
    await intercom.daemon.stop();
    writeFileSync(`${databaseFile()}-wal`, log);
    const staged = `${databaseFile()}.restoring-${STAMP}`;
    const actions = [
      () => copyFileSync(file, path("data", "temporary-restore-x")),
      () => renameSync(path("data", "temporary-restore-x"), staged),
      () => renameSync(`${databaseFile()}-wal`, `${aside()}-wal`),
      () => renameSync(databaseFile(), aside()),
    ];
    for (const action of actions.slice(0, steps)) action();
  }

  it.each([
    [1, ["early", "late"]],
    [2, ["early"]],
    [3, ["early"]],
    [4, ["early"]],
  ])("after step %d is finished or forgotten by the next start, as a whole", async (steps, expected) => {
    await cutOff(steps);
    await intercom.restart();
    expect(await scopeIds()).toEqual(expected);
    expect(others().filter((name) => /temporary-|restoring-/.test(name))).toEqual([]);
    if (steps > 1) {
      expect(existsSync(aside())).toBe(true);
      expect(existsSync(`${aside()}-wal`)).toBe(true);
    }
  });

  it("is finished by the next restore, too, which keeps both states", async () => {
    await cutOff(4);
    makeSchema1(path("old.db"));
    expect(restore(path("old.db")).previousData).toBe(`${aside()}-2`);
    expect(verifyBackup(aside()).problems).toEqual([]);
    expect(verifyBackup(`${aside()}-2`).counts).toMatchObject({ scopes: 1 });
    expect(verifyBackup(databaseFile())).toMatchObject({ schema: 1, problems: [] });
    await intercom.restart();
  });
});
