import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, describe, expect, it } from "vitest";
import { AdminClient } from "../../client/index.ts";
import { type Daemon, startDaemon, verifyBackup } from "../../daemon/index.ts";
import { createLogger, type LogRecord } from "../../daemon/runtime/logger.ts";
import { SCHEMA_VERSION } from "../../daemon/store/index.ts";
import { makeSchema1, schema1Rows } from "../fixtures/schema-1.ts";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";

const path = useTemporaryDirectory();
const databaseFile = () => path("data", "intercom.db");
const options = () => ({ dataDir: path("data"), runtimeDir: path("run"), port: 0, env: {} });
const files = () => readdirSync(path("data")).filter((name) => name !== "daemon.lock");

let daemon: Daemon | undefined;
let child: ChildProcess | undefined;
afterEach(async () => {
  await daemon?.stop();
  daemon = undefined;
  if (child && child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
});

/** A data directory as the program of schema 1 left it. */
function oldData(messages = 0): Record<string, unknown[]> {
  mkdirSync(path("data"), { mode: 0o700 });
  makeSchema1(databaseFile(), messages);
  return schema1Rows(databaseFile());
}

describe("a daemon that finds data of an earlier version", () => {
  it("brings it up to date, says where the copy of how it was is, and goes on with it", async () => {
    const before = oldData();
    const records: LogRecord[] = [];
    daemon = await startDaemon({
      ...options(),
      logger: createLogger({ sinks: [{ write: (record) => records.push(record) }] }),
    });
    const [backup] = files().filter((name) => /^intercom\.db\.schema1-backup-\d{8}T\d{6}Z$/.test(name));
    expect(records).toContainEqual(
      expect.objectContaining({
        message: "the data was brought up to date",
        fields: { from: 1, to: SCHEMA_VERSION, backup: path("data", backup as string) },
      }),
    );
    const scope = new AdminClient({ address: daemon.address, adminToken: daemon.adminToken }).scope("kept");
    expect((await scope.listAgents()).map(({ id }) => id)).toEqual(["ada", "bob"]);
    expect((await scope.listTasksPage({})).tasks).toMatchObject([
      { id: "task_1", status: "done" },
      { id: "task_2", status: "open", ready: true },
    ]);
    expect((await scope.listMessages({})).messages.map(({ id }) => id).sort()).toEqual(["msg_1", "msg_2"]);
    expect(await scope.listOutputStreams()).toEqual([]);
    expect(schema1Rows(path("data", backup as string))).toEqual(before);
    expect(verifyBackup(path("data", backup as string))).toMatchObject({ schema: 1, problems: [] });
  });

  it("that cannot be brought up to date leaves it as it is, and free for others", async () => {
    const before = oldData();
    const database = new Database(databaseFile());
    database.exec("CREATE TABLE principals (surprise TEXT)");
    database.close();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(startDaemon(options())).rejects.toMatchObject({
        code: "INTERNAL",
        message: expect.stringMatching(
          /could not be brought from schema 1 to \d+ \(table principals already exists\)\. Nothing was changed/,
        ) as string,
      });
    }
    expect(verifyBackup(databaseFile())).toMatchObject({ schema: 1, problems: [] });
    expect(schema1Rows(databaseFile())).toEqual(before);
    expect(files()).toEqual(["intercom.db"]);
  });
});

describe("a daemon that is killed while it brings data up to date", () => {
  /** Starts a daemon and kills it as soon as there is a file of this name. Tells whether it got that far. */
  async function killAt(name: RegExp): Promise<boolean> {
    child = fork(new URL("./daemon-child.ts", import.meta.url), [JSON.stringify({ ...options(), env: undefined })], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      execArgv: [],
    });
    const exit = once(child, "exit");
    while (!files().some((file) => name.test(file)) && child.exitCode === null) await sleep(1);
    child.kill("SIGKILL");
    const [, signal] = (await exit) as [number | null, NodeJS.Signals | null];
    return signal === "SIGKILL";
  }

  it.each([
    ["while it makes the copy", /^temporary-backup-/],
    ["while it changes the data", /schema1-backup-/],
  ])("%s: leaves the old data or the new, and the next one goes on", async (_when, name) => {
    const before = oldData(3000);
    expect(await killAt(name)).toBe(true);
    const left = verifyBackup(databaseFile());
    expect(left.problems).toEqual([]);
    expect([1, SCHEMA_VERSION]).toContain(left.schema);
    for (const file of files().filter((each) => each.includes("-backup-") && !each.startsWith("temporary-"))) {
      expect(verifyBackup(path("data", file)), file).toMatchObject({ schema: 1, problems: [] });
    }
    daemon = await startDaemon(options());
    await daemon.stop();
    expect(schema1Rows(databaseFile())).toEqual(before);
    expect(verifyBackup(databaseFile())).toMatchObject({ schema: SCHEMA_VERSION, problems: [] });
    expect(files().filter((file) => file.startsWith("temporary-"))).toEqual([]);
  });
});
