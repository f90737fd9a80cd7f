import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../daemon/index.ts";
import { createLogger, type LogRecord } from "../../daemon/runtime/logger.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { DaemonProcess, killLeftovers } from "./daemon-process.ts";

const path = useTemporaryDirectory();
let daemon: Daemon | undefined;
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
  await killLeftovers();
});

const onUnix = process.platform === "win32" ? it.skip : it;
const asRoot = process.getuid?.() === 0 ? it : it.skip;

async function start(options = {}): Promise<Daemon> {
  daemon = await startDaemon({ dataDir: path("data"), runtimeDir: path("run"), port: 0, env: {}, ...options });
  return daemon;
}

async function expectReady(): Promise<void> {
  const { address, runFile, instanceId } = daemon as Daemon;
  expect(await (await fetch(`${address}/health`)).json()).toMatchObject({ status: "ready", instanceId });
  expect(JSON.parse(readFileSync(runFile, "utf8"))).toMatchObject({ address, instanceId, pid: process.pid });
}

/** What a daemon leaves that was killed with work in its log. Gives the scope it had made. */
async function leaveKilled(): Promise<{ scopeToken: string; pid: number }> {
  const killed = await DaemonProcess.start({ dataDir: path("data"), runtimeDir: path("run") });
  const { scopeToken } = await killed.call("createScope", { id: "kept" }, { token: killed.adminToken });
  await killed.kill();
  return { scopeToken, pid: killed.pid };
}

describe("what a daemon left that was killed", () => {
  it("does not keep the next one from starting, with everything that was accepted", async () => {
    const { scopeToken, pid } = await leaveKilled();
    for (const file of [path("run", "run.json"), path("data", "daemon.lock"), path("data", "intercom.db-wal")]) {
      expect(existsSync(file), file).toBe(true);
    }
    expect(JSON.parse(readFileSync(path("run", "run.json"), "utf8"))).toMatchObject({ pid });
    const records: LogRecord[] = [];
    await start({ logger: createLogger({ sinks: [{ write: (record) => records.push(record) }] }) });
    await expectReady();
    expect(records.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
      expect.stringMatching(/did not stop cleanly; the database was checked/),
    ]);
    const headers = { Authorization: `Bearer ${scopeToken}` };
    expect((await fetch(`${daemon?.address}/v1/scope`, { headers })).status).toBe(200);
  });

  it("is tidied by a clean stop", async () => {
    await leaveKilled();
    await (await start()).stop();
    expect(existsSync(path("run", "run.json"))).toBe(false);
    expect(existsSync(path("data", "intercom.db-wal"))).toBe(false);
  });

  it("may name a process id that somebody else has now", async () => {
    await leaveKilled();
    const runFile = JSON.parse(readFileSync(path("run", "run.json"), "utf8")) as Record<string, unknown>;
    writeFileSync(path("run", "run.json"), JSON.stringify({ ...runFile, pid: process.ppid }), { mode: 0o600 });
    await start();
    await expectReady();
  });

  it("may be damaged beyond reading, as far as it is only a run file", async () => {
    await leaveKilled();
    writeFileSync(path("run", "run.json"), "{ half");
    await start();
    await expectReady();
  });
});

it("data of a newer program is refused with a sentence, and the directory is free for that program", async () => {
  await (await start()).stop();
  const database = new Database(path("data", "intercom.db"));
  const schema = database.pragma("user_version", { simple: true }) as number;
  database.pragma("user_version = 99");
  database.close();
  await expect(start()).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringMatching(/written by a newer Agent Intercom \(schema 99.*Update Agent Intercom\./) as string,
  });
  await expect(DaemonProcess.start({ dataDir: path("data"), runtimeDir: path("run") })).rejects.toMatchObject({
    code: "CONFLICT",
    exitCode: 1,
  });
  const newer = new Database(path("data", "intercom.db"));
  newer.pragma(`user_version = ${schema}`);
  newer.close();
  await start();
  await expectReady();
});

it("a damaged database is refused with a sentence", async () => {
  await (await start()).stop();
  writeFileSync(path("data", "intercom.db"), Buffer.alloc(40_960, 0xa5));
  await expect(start()).rejects.toMatchObject({
    code: "INTERNAL",
    message: expect.stringMatching(/damaged or not a database\. Restore a backup or move it away\./) as string,
  });
});

describe("places others could reach", () => {
  onUnix("are closed where they are ours", async () => {
    await (await start()).stop();
    for (const directory of ["data", "run"]) chmodSync(path(directory), 0o755);
    chmodSync(path("data", "intercom.db"), 0o644);
    await start();
    expect(statSync(path("data")).mode & 0o777).toBe(0o700);
    expect(statSync(path("run")).mode & 0o777).toBe(0o700);
    expect(statSync(path("data", "intercom.db")).mode & 0o777).toBe(0o600);
    expect(statSync(path("run", "run.json")).mode & 0o777).toBe(0o600);
  });

  onUnix("are refused where they hold somebody's files", async () => {
    mkdirSync(path("data"), { mode: 0o755 });
    chmodSync(path("data"), 0o755);
    writeFileSync(path("data", "holiday.jpg"), "");
    await expect(start()).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringMatching(/open to other users .*chmod 700/) as string,
    });
    expect(statSync(path("data")).mode & 0o777).toBe(0o755);
  });

  asRoot("are refused where they belong to another user", async () => {
    mkdirSync(path("data"), { mode: 0o700 });
    chownSync(path("data"), 65_534, 65_534);
    await expect(start()).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringMatching(/belongs to another user \(uid 65534/) as string,
    });
  });

  asRoot("are refused with a sentence where this user may not write", () => {
    mkdirSync(path("data"), { mode: 0o700 });
    writeFileSync(path("data", "intercom.db"), "");
    chmodSync(path(), 0o755);
    // Another user's own directory, with a file in it that belongs to root.
    chownSync(path("data"), 65_534, 65_534);
    mkdirSync(path("run"), { mode: 0o700 });
    chownSync(path("run"), 65_534, 65_534);
    chmodSync(path("data", "intercom.db"), 0o600);
    const script = `
      import { startDaemon } from ${JSON.stringify(new URL("../../daemon/index.ts", import.meta.url).href)};
      process.setgid(65534); process.setuid(65534);
      try {
        await startDaemon({ dataDir: ${JSON.stringify(path("data"))}, runtimeDir: ${JSON.stringify(path("run"))}, port: 0, env: {} });
        console.log("started");
      } catch (error) { console.log(error.code, error.message); }
      process.exit();`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module-typescript", "-e", script], {
      encoding: "utf8",
    });
    expect(stdout + stderr).toMatch(/^PERMISSION_DENIED .*intercom\.db/);
  });

  onUnix.each(["intercom.db", "daemon.lock"])("are not reached through a link in place of %s", async (name) => {
    await (await start()).stop();
    writeFileSync(path("target"), "somebody's file", { mode: 0o644 });
    rmSync(path("data", name));
    symlinkSync(path("target"), path("data", name));
    await expect(start()).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringMatching(/not a regular file/) as string,
    });
    expect(readFileSync(path("target"), "utf8")).toBe("somebody's file");
    expect(statSync(path("target")).mode & 0o777).toBe(0o644);
  });

  onUnix("are not written through a link in place of the run file", async () => {
    mkdirSync(path("run"), { mode: 0o700 });
    writeFileSync(path("target"), "somebody's file");
    symlinkSync(path("target"), path("run", "run.json"));
    await start();
    await expectReady();
    expect(readFileSync(path("target"), "utf8")).toBe("somebody's file");
  });
});
