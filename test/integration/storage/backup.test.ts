import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, it } from "vitest";
import { startDaemon } from "../../../daemon/index.ts";
import { checkFile, checkStored } from "../../properties/invariants.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";
import { temporaryFiles } from "../archives/archive-calls.ts";
import { makeEverything } from "../archives/everything.ts";

const daemon = useDaemon();
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

/** Fetches a backup into a directory of a daemon to be. */
async function backUp(intercom: TestDaemon): Promise<{ home: string; file: string; headers: Headers }> {
  const headers = { Authorization: `Bearer ${intercom.adminToken}` };
  const response = await fetch(`${intercom.address}/v1/admin/backup`, { headers });
  expect(response.status).toBe(200);
  const home = mkdtempSync(join(tmpdir(), "intercom-test-"));
  homes.push(home);
  const file = join(home, "intercom.db");
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()), { mode: 0o600 });
  return { home, file, headers: response.headers };
}

it("has everything that was accepted before it was asked for, while thirty-two go on writing", async () => {
  const scope = await daemon().scope({ linkPolicy: "open" });
  const agents = await Promise.all(Array.from({ length: 32 }, (_, index) => scope.agent(`agent-${index}`)));
  const accepted: string[] = [];
  let writing = true;
  const writers = agents.map(async (agent, index) => {
    for (let n = 0; writing; n += 1) {
      const to = `agent-${(index + 1) % agents.length}`;
      accepted.push(await agent.tell(to, { body: `${index} ${n}`, idempotencyKey: `${n}` }));
    }
  });
  await until("they are at it", () => accepted.length > 200);
  const [before, task] = [[...accepted], await scope.call("addTask", { title: "marker" })];
  const { file, headers } = await backUp(daemon());
  writing = false;
  await Promise.all(writers);
  expect(accepted.length).toBeGreaterThan(before.length);
  expect(headers.get("content-type")).toBe("application/octet-stream");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(Number(headers.get("content-length"))).toBe(statSync(file).size);

  const database = new Database(file);
  checkFile(database);
  checkStored(database, 0);
  const stored = new Set(database.prepare<[], string>("SELECT id FROM messages").pluck().all());
  expect(before.filter((id) => !stored.has(id))).toEqual([]);
  expect(database.prepare("SELECT title FROM tasks WHERE id = ?").pluck().get(task.id)).toBe("marker");
  database.close();
  await until("its file is gone", () => temporaryFiles(daemon()).length === 0);
});

it("is what a daemon can start from, with everybody's access as it was", async () => {
  const { scope } = await makeEverything(daemon());
  const { home } = await backUp(daemon());
  const restored = await startDaemon({
    dataDir: home,
    runtimeDir: join(home, "run"),
    port: 0,
    env: {},
    clock: daemon().clock,
  });
  try {
    const response = await fetch(`${restored.address}/v1/scope/escalations`, {
      headers: { Authorization: `Bearer ${scope.token}` },
    });
    const { result } = (await response.json()) as { result: unknown[] };
    expect(result).toEqual(await scope.call("listEscalations", {}));
  } finally {
    await restored.stop();
  }
});

it("is the owner's alone while it is made", async () => {
  const { dataDir } = daemon().daemon.directories;
  let looking = true;
  const modes = new Set<string>();
  const look = async () => {
    while (looking) {
      for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith("temporary-"))) {
        const stat = statSync(join(dataDir, name), { throwIfNoEntry: false });
        if (stat) modes.add((stat.mode & 0o777).toString(8));
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const watching = look();
  await backUp(daemon());
  await daemon().admin.call("exportScope", { scopeId: (await daemon().scope()).id });
  looking = false;
  await watching;
  expect([...modes]).toEqual(["600"]);
});

it("is refused to everybody but the admin", async () => {
  const scope = await daemon().scope();
  const agent = await scope.agent("ada");
  for (const token of [undefined, "x", scope.token, agent.token]) {
    expect(await daemon().refused("backup", {}, { token })).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  }
  expect(temporaryFiles(daemon())).toEqual([]);
});
