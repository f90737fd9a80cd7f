import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScopeClient } from "../../../client/index.ts";
import { type Daemon, startDaemon } from "../../../daemon/index.ts";
import { readAside } from "../../../daemon/store/sqlite/aside.ts";
import { checkStored } from "../../properties/invariants.ts";
import { CliHome } from "../../support/cli.ts";

interface Found {
  readonly check: string;
  readonly level: string;
  readonly found: string;
  readonly action?: string;
}

const onUnix = process.platform === "win32" ? it.skip : it;
let home: CliHome;
let daemon: Daemon;

beforeEach(async () => {
  home = new CliHome();
  daemon = await start();
});
afterEach(async () => {
  await daemon.stop();
  await home.close();
});

const start = () => startDaemon({ dataDir: home.dataDir, runtimeDir: home.runtimeDir, port: 0, env: {} });
const databaseFile = () => join(home.dataDir, "intercom.db");

async function doctor(...args: string[]): Promise<{ code: number; findings: Found[] }> {
  const outcome = await home.call(["doctor", "--json", ...args]);
  return { code: outcome.code, findings: outcome.json<{ findings: Found[] }>().findings };
}

/** What the doctor says of these checks. */
const about = (findings: readonly Found[], ...checks: string[]) =>
  findings.filter(({ check }) => checks.includes(check)).map(({ check, level }) => `${check} ${level}`);

function sql<T>(work: (database: Database.Database) => T): T {
  const database = new Database(databaseFile());
  try {
    database.pragma("foreign_keys = ON");
    return work(database);
  } finally {
    database.close();
  }
}

/** A scope with messages under way, a reservation, a claim, progress and dependencies. */
async function work(): Promise<ScopeClient> {
  await home.admin().createScope({ id: "team", linkPolicy: "open" });
  const scope = home.admin().scope("team");
  const [ada, bob] = await Promise.all(
    ["ada", "bob"].map(async (id) => scope.agent((await scope.registerAgent({ id, displayName: id })).agentToken)),
  );
  if (!ada || !bob) throw new Error("unreachable");
  for (const body of ["one", "two", "three"]) await ada.sendMessage({ to: "bob", body });
  await bob.reserveInbox({ limit: 1 });
  const first = await ada.addTask({ title: "First" });
  await ada.addTask({ title: "Second", dependencies: [first.id] });
  await bob.claimTask({ taskId: first.id });
  await bob.addTaskProgress({ taskId: first.id, kind: "progress", text: "halfwäy" });
  return scope;
}

/** Faults, each made for real, with the check that finds it. */
const FAULTS: readonly (readonly [check: string, fault: string, found: RegExp])[] = [
  [
    "active-messages",
    "UPDATE scopes SET active_messages = 40",
    /messages that are under way: team \(40 instead of 3\)/,
  ],
  ["unfinished-tasks", "UPDATE scopes SET unfinished_tasks = 0", /unfinished tasks: team \(0 instead of 2\)/],
  ["task-blockers", "UPDATE tasks SET blockers = 0 WHERE title = 'Second'", /task_\w+ \(0 instead of 1\)/],
  ["task-dependencies", "UPDATE tasks SET dependency_count = 7 WHERE title = 'Second'", /\(7 instead of 1\)/],
  ["task-progress", "UPDATE tasks SET progress_count = 0", /\(0 instead of 1\)/],
  ["task-progress-size", "UPDATE tasks SET progress_bytes = 1 WHERE title = 'First'", /\(1 instead of 8\)/],
  [
    "orphaned-reservations",
    "UPDATE reservations SET execution_no = 4711",
    /^A reservation is held by a session that has ended: res_\w+$/,
  ],
  ["reserved-messages", "DELETE FROM reservations", /^A message is reserved without a reservation: msg_\w+$/],
  ["orphaned-claims", "UPDATE tasks SET claimed_execution_no = 4711 WHERE status = 'claimed'", /^A task is claimed by/],
];

describe("doctor finds and repairs in the data", () => {
  it.each(FAULTS)("%s", async (check, fault, found) => {
    await work();
    await daemon.stop();
    sql((database) => database.exec(fault));
    const before = readFileSync(databaseFile());
    const looked = await doctor();
    const finding = looked.findings.find((each) => each.check === check);
    expect(finding).toMatchObject({ level: "warn", action: "agent-intercom doctor --fix" });
    expect(finding?.found).toMatch(found);
    expect(readFileSync(databaseFile()).equals(before)).toBe(true);
    expect(readdirSync(home.dataDir).sort()).toEqual(["daemon.lock", "intercom.db"]);

    const repaired = await doctor("--fix");
    expect(about(repaired.findings, check, "data")).toEqual([`${check} fixed`, "data ok"]);
    expect(repaired.code).toBe(0);
    expect(about((await doctor()).findings, check, "data")).toEqual(["data ok"]);
    readAside(databaseFile(), (database) => checkStored(database, 0));
    daemon = await start();
    expect((await home.admin().scope("team").listAgents()).length).toBe(2);
  });

  it("several at once, and nothing where nothing is wrong", async () => {
    await work();
    await daemon.stop();
    expect(about((await doctor("--fix")).findings, "data")).toEqual(["data ok"]);
    sql((database) => {
      for (const [, fault] of FAULTS.slice(0, 7)) database.exec(fault);
    });
    const { findings } = await doctor("--fix");
    expect(findings.filter(({ level }) => level === "fixed")).toHaveLength(7);
    expect(about((await doctor()).findings, "data")).toEqual(["data ok"]);
    const text = (await home.call(["doctor", "--fix"])).stdout;
    expect(text).not.toContain("Repaired");
    expect(text).toContain("warn  The daemon is not running");
  });

  it("not while the daemon runs: it says what waits, and repairs what is safe", async () => {
    await work();
    sql((database) => database.exec("UPDATE scopes SET unfinished_tasks = 0"));
    writeFileSync(join(home.dataDir, "temporary-upload"), "in use");
    if (process.platform !== "win32") chmodSync(databaseFile(), 0o644);
    const { findings, code } = await doctor("--fix");
    expect(code).toBe(0);
    const waiting = findings.find(({ check }) => check === "unfinished-tasks");
    expect(waiting).toMatchObject({
      level: "warn",
      action: "It waits for the daemon to stop: agent-intercom stop, then agent-intercom doctor --fix",
    });
    if (process.platform !== "win32") expect(about(findings, "open-files")).toEqual(["open-files fixed"]);
    expect(existsSync(join(home.dataDir, "temporary-upload"))).toBe(true);
    expect(sql((database) => database.prepare("SELECT unfinished_tasks FROM scopes").pluck().get())).toBe(0);
  });

  it("by offering a restore where the database is damaged", async () => {
    await work();
    expect((await home.call(["backup", "create", "--output", join(home.home, "b.db")])).code).toBe(0);
    await daemon.stop();
    expect((await home.call(["backup", "restore", join(home.home, "b.db"), "--yes"])).code).toBe(0);
    const aside = readdirSync(home.dataDir).find((name) => name.includes("before-restore")) as string;
    const bytes = readFileSync(databaseFile());
    bytes.fill(0xa5, 8192);
    writeFileSync(databaseFile(), bytes);
    for (const args of [[], ["--fix"]]) {
      const { findings, code } = await doctor(...args);
      expect(code).toBe(1);
      const finding = findings.find(({ check }) => check === "database");
      expect(finding?.level).toBe("fail");
      expect(finding?.found).toMatch(/^The database is damaged: /);
      expect(finding?.action).toContain(`agent-intercom backup restore ${join(home.dataDir, aside)} --yes`);
    }
    expect(readFileSync(databaseFile()).equals(bytes)).toBe(true);
    expect((await home.call(["backup", "restore", join(home.dataDir, aside), "--yes"])).code).toBe(0);
    daemon = await start();
    expect(await home.admin().listScopes()).toMatchObject([{ scopeId: "team" }]);
  });

  it("and says when what stands there is no database at all", async () => {
    await daemon.stop();
    writeFileSync(databaseFile(), "a shopping list, long enough to be looked at");
    const { findings } = await doctor("--fix");
    expect(about(findings, "database")).toEqual(["database fail"]);
    expect(findings.find(({ check }) => check === "database")?.action).toContain("backup restore FILE --yes");
  });
});

describe("doctor finds and repairs around the data", () => {
  it("the run file of a daemon that is gone", async () => {
    const file = join(home.runtimeDir, "run.json");
    const run = readFileSync(file, "utf8");
    await daemon.stop();
    // No process has this number.
    writeFileSync(file, JSON.stringify({ ...JSON.parse(run), pid: 2 ** 22 + 1 }), { mode: 0o600 });
    expect(about((await doctor()).findings, "run-file", "daemon")).toEqual(["run-file warn", "daemon fail"]);
    expect(existsSync(file)).toBe(true);
    expect(about((await doctor("--fix")).findings, "run-file", "daemon")).toEqual(["run-file fixed", "daemon warn"]);
    expect(existsSync(file)).toBe(false);
  });

  it("files that work left which was cut off", async () => {
    await daemon.stop();
    const left = [
      join(home.dataDir, "temporary-backup-1"),
      join(home.dataDir, "b.db.partial"),
      join(home.runtimeDir, `.run-${2 ** 22 + 1}-00ff00ff00ff.tmp`),
    ];
    for (const file of left) writeFileSync(file, "");
    const kept = [join(home.dataDir, "b.db"), join(home.runtimeDir, `.run-${process.pid}-00ff00ff00ff.tmp`)];
    for (const file of kept) writeFileSync(file, "");
    const { findings } = await doctor();
    expect(findings.find(({ check }) => check === "leftover-files")?.found).toBe(
      `3 temporary files are left over: ${left.join(", ")}`,
    );
    expect(left.every((file) => existsSync(file))).toBe(true);
    expect(about((await doctor("--fix")).findings, "leftover-files")).toEqual(["leftover-files fixed"]);
    expect([...left, ...kept].filter((file) => existsSync(file))).toEqual(kept);
  });

  onUnix("directories and files that others may open", async () => {
    const logs = join(home.dataDir, "logs");
    const modes: [string, number, number][] = [
      [home.dataDir, 0o755, 0o700],
      [home.runtimeDir, 0o750, 0o700],
      [databaseFile(), 0o644, 0o600],
      [`${databaseFile()}.schema1-backup-20260101T000000Z`, 0o640, 0o600],
    ];
    await daemon.stop();
    writeFileSync(modes[3]?.[0] as string, "");
    symlinkSync("/etc/hostname", join(home.dataDir, "intercom.db.link"));
    for (const [path, mode] of modes) chmodSync(path, mode);
    const before = statSync("/etc/hostname").mode;
    const looked = await doctor();
    expect(looked.code).toBe(1);
    expect(about(looked.findings, "data-directory", "runtime-directory", "open-files")).toEqual([
      "data-directory fail",
      "runtime-directory fail",
      "open-files warn",
    ]);
    for (const [path, mode] of modes) expect(statSync(path).mode & 0o777).toBe(mode);
    const repaired = await doctor("--fix");
    expect(repaired.code).toBe(0);
    expect(about(repaired.findings, "directory", "open-files")).toEqual([
      "directory fixed",
      "directory fixed",
      "open-files fixed",
    ]);
    for (const [path, , mode] of modes) expect(statSync(path).mode & 0o777, path).toBe(mode);
    expect(statSync("/etc/hostname").mode).toBe(before);
    expect(existsSync(logs)).toBe(false);
  });

  onUnix("a directory it cannot close without harm, which it leaves to its owner", async () => {
    await daemon.stop();
    const shared = join(home.home, "shared");
    const place = ["--data-dir", shared];
    mkdirSync(shared, { mode: 0o755 });
    chmodSync(shared, 0o755);
    writeFileSync(join(shared, "holiday.jpg"), "");
    const { findings } = await doctor("--fix", ...place);
    expect(about(findings, "directory", "data-directory")).toEqual(["data-directory fail"]);
    expect(statSync(shared).mode & 0o777).toBe(0o755);
    expect(readdirSync(shared)).toEqual(["holiday.jpg"]);
  });

  onUnix("a run file that others may read, but not one that others may have written", async () => {
    const file = join(home.runtimeDir, "run.json");
    chmodSync(file, 0o644);
    const looked = await doctor();
    expect(about(looked.findings, "open-run-file", "run-file")).toEqual(["open-run-file warn", "run-file fail"]);
    const repaired = await doctor("--fix");
    expect(about(repaired.findings, "open-run-file", "run-file", "daemon")).toEqual([
      "open-run-file fixed",
      "run-file ok",
      "daemon ok",
    ]);
    chmodSync(file, 0o666);
    const refused = await doctor("--fix");
    expect(refused.code).toBe(1);
    expect(about(refused.findings, "open-run-file", "run-file")).toEqual(["run-file fail"]);
    expect(statSync(file).mode & 0o777).toBe(0o666);
    chmodSync(file, 0o600);
  });

  it("makes nothing where nothing is", async () => {
    const place = join(home.home, "nowhere");
    const { findings } = await doctor("--fix", "--data-dir", place);
    expect(about(findings, "data", "database")).toEqual([]);
    expect(existsSync(place)).toBe(false);
  });
});
