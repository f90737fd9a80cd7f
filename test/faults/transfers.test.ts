import { readdirSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { importNew, importText, stored, temporaryFiles } from "../integration/archives/archive-calls.ts";
import { handWritten } from "../integration/archives/hand-written.ts";
import { checkFile, checkStored } from "../properties/invariants.ts";
import type { ScopeActor } from "../support/actors.ts";
import { TestDaemon } from "../support/daemon.ts";
import { exchange } from "../support/http.ts";
import { until } from "../support/waiting.ts";
import { DaemonProcess, killLeftovers } from "./daemon-process.ts";

const path = useTemporaryDirectory();
let intercom: TestDaemon;
beforeEach(async () => {
  intercom = await TestDaemon.start();
});
afterEach(async () => {
  await intercom.close();
  await killLeftovers();
});

/** An archive with many messages that have been dealt with. */
function large(scopeId: string, messages: number): string {
  const archive = handWritten(scopeId);
  const [like] = archive.messages.slice(2);
  const at = "2025-03-01T11:00:00.000Z";
  const done = { ...like, state: "acknowledged", deliveredAt: at, acknowledgedAt: at, body: "x".repeat(400) };
  const more = Array.from({ length: messages }, (_, index) => ({ ...done, id: `n-${index}` }));
  return JSON.stringify({ ...archive, messages: [...archive.messages, ...more] });
}

async function expectHealthy(): Promise<void> {
  await until("nothing is left of it", () => temporaryFiles(intercom).length === 0);
  const scope = await intercom.scope();
  // Every place in the background is free again.
  await Promise.all([1, 2, 3, 4].map(() => scope.call("storageSummary", {})));
  intercom.sql((db) => {
    checkStored(db, 0);
    checkFile(db);
  });
}

/** Begins an upload and gives the means to go on with it. */
function beginUpload(address: string, token: string, bytes: number) {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "Content-Length": bytes,
  };
  const sent = request(`${address}/v1/admin/scopes/import`, { method: "POST", headers });
  const ended = new Promise<void>((resolve) => {
    sent.on("error", () => resolve());
    sent.on("close", () => resolve());
    sent.on("response", (response) => response.resume());
  });
  return { sent, ended };
}

/** Begins a download, and reads no more of it than its head. */
function beginDownload(address: string, token: string, where: string) {
  return new Promise<{ stop: () => void }>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}` };
    const sent = request(`${address}${where}`, { headers, agent: false }, (response) => {
      response.on("error", () => {});
      resolve({ stop: () => sent.destroy() });
    });
    sent.on("error", reject);
    sent.end();
  });
}

describe("a caller that hangs up leaves nothing behind", () => {
  it("in the middle of an upload, however early", async () => {
    const text = large("s", 5000);
    const before = stored(intercom);
    for (const part of [0, 1, 1000, text.length / 2, text.length - 1]) {
      const { sent, ended } = beginUpload(intercom.address, intercom.adminToken, text.length);
      sent.flushHeaders();
      if (part > 0) await new Promise((resolve) => sent.write(text.slice(0, part), resolve));
      if (part > 1) await until("it has begun", () => temporaryFiles(intercom).length > 0);
      sent.destroy();
      await ended;
    }
    await expectHealthy();
    expect(stored(intercom)).toMatchObject({ messages: before.messages, agents: before.agents });
  });

  it("in the middle of a download, or before it has begun", async () => {
    await importNew(intercom, JSON.parse(large("s", 8000)));
    for (const where of ["/v1/admin/scopes/s/export", "/v1/admin/backup"]) {
      for (let round = 0; round < 3; round += 1)
        (await beginDownload(intercom.address, intercom.adminToken, where)).stop();
      const gone = Array.from({ length: 4 }, () => {
        const controller = new AbortController();
        const call = fetch(intercom.address + where, {
          headers: { Authorization: `Bearer ${intercom.adminToken}` },
          signal: controller.signal,
        }).catch(() => undefined);
        return { call, controller };
      });
      await until("they have begun", () => temporaryFiles(intercom).length > 0);
      for (const { controller } of gone) controller.abort();
      await Promise.all(gone.map(({ call }) => call));
    }
    await expectHealthy();
  });

  it("or does not take what it asked for, while everybody else goes on", async () => {
    await importNew(intercom, JSON.parse(large("s", 8000)));
    const idle = await Promise.all(
      [1, 2, 3, 4, 5].map(() => beginDownload(intercom.address, intercom.adminToken, "/v1/admin/scopes/s/export")),
    );
    const scope = await intercom.scope();
    await scope.call("storageSummary", {});
    expect((await intercom.admin.call("exportScope", { scopeId: scope.id })).messages).toEqual([]);
    for (const { stop } of idle) stop();
    await expectHealthy();
  });
});

/** Calls that write until told to stop; gives how many went through. */
function keepWriting(scope: ScopeActor) {
  const count = { done: 0 };
  let going = true;
  const work = (async () => {
    for (; going; count.done += 1) await scope.call("addTask", { title: "t" });
  })();
  const stop = async () => {
    going = false;
    await work;
  };
  return { count, stop };
}

describe("while an archive comes in", () => {
  it("writers wait and are served after it, readers are served, and each of several archives comes in", async () => {
    const scope = await intercom.scope();
    const agent = await scope.agent("ada");
    // Each is an archive of its own, whose ids nobody else has.
    const archives = ["s-1", "s-2", "s-3"].map((id) => {
      const lists = { agentCardPublications: [], a2aTasks: [], a2aMessages: [], outputStreams: [], outputValues: [] };
      const archive = JSON.parse(large(id, 3000)) as { messages: { id: string }[] };
      const messages = archive.messages.slice(6).map((message) => ({ ...message, id: `${id}-${message.id}` }));
      return JSON.stringify({ ...archive, ...lists, messages });
    });
    const writing = keepWriting(scope);
    const imports = archives.map((text) => importText(intercom, text));
    let reads = 0;
    let done = false;
    const all = Promise.all(imports).finally(() => {
      done = true;
    });
    while (!done) {
      await scope.call("listAgents", {});
      await agent.call("heartbeat", { lifecycle: "ready", ready: true });
      reads += 1;
    }
    expect((await all).map(({ status }) => status)).toEqual([201, 201, 201]);
    await writing.stop();
    expect(reads).toBeGreaterThan(0);
    expect((await scope.call("listTasks", {})).length).toBe(writing.count.done);
    await expectHealthy();
  });

  it("a kill leaves all of it or nothing, and no file", async () => {
    const directories = { dataDir: path("data"), runtimeDir: path("run") };
    const text = large("s", 10_000);
    const outcomes = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      const daemon = await DaemonProcess.start(directories);
      const { adminToken, address } = daemon;
      const answer = exchange(
        address,
        { method: "POST", path: "/v1/admin/scopes/import", body: text },
        { token: adminToken },
      ).then(
        ({ status }) => status,
        () => undefined,
      );
      const staging = () => readdirSync(directories.dataDir).some((name) => name.includes("staging"));
      const grown = () => walBytes(directories.dataDir) > 500_000;
      // At the very beginning, while it is checked, and while it is written.
      if (round === 1) await until("it is being checked", staging, 20_000);
      if (round === 2) await until("it is being written", async () => grown() || (await settled(answer)), 20_000);
      await daemon.kill();
      const said = await answer;
      const again = await DaemonProcess.start(directories);
      expect(readdirSync(directories.dataDir).filter((name) => name.startsWith("temporary-"))).toEqual([]);
      await again.terminate();
      const database = new Database(join(directories.dataDir, "intercom.db"));
      const count = (table: string) => database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number;
      const whole = count("scopes") === 1;
      outcomes.add(whole ? "whole" : "nothing");
      expect([count("messages"), count("agents"), count("tasks"), count("output_values"), count("events")]).toEqual(
        whole ? [10_006, 2, 3, 2, 1] : [0, 0, 0, 0, 0],
      );
      // What was said to be done is.
      if (said === 201) expect(whole).toBe(true);
      checkFile(database);
      checkStored(database, 0);
      database.prepare("DELETE FROM events").run();
      database.pragma("foreign_keys = ON");
      database.prepare("DELETE FROM scopes").run();
      database.close();
    }
    expect(outcomes).toContain("nothing");
  }, 90_000);
});

function walBytes(directory: string): number {
  return statSync(join(directory, "intercom.db-wal"), { throwIfNoEntry: false })?.size ?? 0;
}

describe("a stop ends soon and cleanly", () => {
  it.each([
    ["an import", (address: string, token: string) => post(address, token, large("s", 10_000))],
    ["an export", (address: string, token: string) => get(address, token, "/v1/admin/scopes/filled/export")],
    ["a backup", (address: string, token: string) => get(address, token, "/v1/admin/backup")],
    ["an upload that does not go on", (address: string, token: string) => stuckUpload(address, token)],
    ["a download nobody takes", (address: string, token: string) => stuckDownload(address, token)],
  ])("in the middle of %s", async (_, begin) => {
    const filled = JSON.parse(large("filled", 8000)) as { messages: object[] };
    await importNew(intercom, filled);
    const call = begin(intercom.address, intercom.adminToken);
    await until("it has begun", () => temporaryFiles(intercom).length > 0);
    const startedAt = performance.now();
    await intercom.daemon.stop();
    // The patience for calls that do not end is three seconds; then a busy machine needs some for itself.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    await call;
    expect(temporaryFiles(intercom)).toEqual([]);
    expect(readdirSync(intercom.daemon.directories.dataDir)).not.toContain("intercom.db-wal");
    await intercom.restart();
    intercom.sql((db) => {
      checkStored(db, 0);
      checkFile(db);
    });
  });
});

it("files that a killed daemon has left are removed, and no others", async () => {
  const { dataDir } = intercom.daemon.directories;
  for (const name of ["temporary-x", "temporary-y-journal", "mine"]) writeFileSync(join(dataDir, name), "");
  await intercom.restart();
  expect(temporaryFiles(intercom)).toEqual([]);
  expect(readdirSync(dataDir)).toContain("mine");
});

const ended = () => undefined;

async function settled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([promise.then(() => true), Promise.resolve(false)]);
}

function post(address: string, token: string, text: string): Promise<unknown> {
  return exchange(address, { method: "POST", path: "/v1/admin/scopes/import", body: text }, { token }).catch(ended);
}

function get(address: string, token: string, where: string): Promise<unknown> {
  return exchange(address, { method: "GET", path: where }, { token }).catch(ended);
}

function stuckUpload(address: string, token: string): Promise<unknown> {
  const { sent, ended: closed } = beginUpload(address, token, 1_000_000);
  sent.write("{");
  return closed;
}

async function stuckDownload(address: string, token: string): Promise<unknown> {
  return beginDownload(address, token, "/v1/admin/scopes/filled/export").catch(ended);
}
