import { closeSync, existsSync, ftruncateSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { SqliteStore } from "../../daemon/store/index.ts";
import { checkFile, checkStored } from "../properties/invariants.ts";
import type { AgentActor, ScopeActor } from "../support/actors.ts";
import { TestDaemon } from "../support/daemon.ts";

/** Names a small disk of its own, such as a tmpfs of 8 MiB, to fill up for real. */
const SMALL_DISK = process.env.FAULT_SMALL_DISK;

const FULL = { status: 500, code: "INTERNAL", details: { reason: "storage_full" } };
const BIG = "x".repeat(60_000);

interface Disk {
  readonly dataDir?: string;
  fill(): void;
  free(): void;
  remove(): void;
}

/** A store that may not grow, which is how SQLite sees a full disk. */
function cappedStore(opened: MockInstance<typeof SqliteStore.open>): Disk {
  const store = () => opened.mock.results.at(-1)?.value as SqliteStore;
  return { fill: () => store().limitPages(1), free: () => store().limitPages(), remove: () => {} };
}

/** A disk on which a stranger's file takes all the room there is. */
function smallDisk(mount: string): Disk {
  const home = mkdtempSync(join(mount, "intercom-"));
  const filler = join(home, "filler");
  return {
    dataDir: join(home, "data"),
    fill: () => {
      const descriptor = openSync(filler, "a");
      try {
        for (const chunk = Buffer.alloc(64 * 1024); ; ) writeSync(descriptor, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      } finally {
        closeSync(descriptor);
      }
      expect(statfsSync(mount).bavail).toBe(0);
    },
    free: () => {
      const descriptor = openSync(filler, "r+");
      ftruncateSync(descriptor, 0);
      closeSync(descriptor);
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

describe.each(SMALL_DISK && existsSync(SMALL_DISK) ? ["a capped store", "a small disk"] : ["a capped store"])(
  "%s",
  (kind) => {
    let disk: Disk;
    let intercom: TestDaemon;
    let scope: ScopeActor;
    let ada: AgentActor;
    let bob: AgentActor;

    beforeEach(async () => {
      disk = kind === "a small disk" ? smallDisk(SMALL_DISK as string) : cappedStore(vi.spyOn(SqliteStore, "open"));
      intercom = await TestDaemon.start(disk.dataDir === undefined ? {} : { dataDir: disk.dataDir });
      scope = await intercom.scope({ linkPolicy: "open" });
      [ada, bob] = await scope.agents("ada", "bob");
    });
    afterEach(async () => {
      disk.free();
      await intercom.close();
      disk.remove();
      vi.restoreAllMocks();
    });

    /** Sends until the disk is full; gives what was accepted before. */
    async function sendUntilFull(): Promise<string[]> {
      const accepted: string[] = [];
      for (let count = 0; count < 500; count += 1) {
        const answer = await intercom.send("sendMessage", { to: "bob", body: BIG }, { token: ada.token });
        if (answer.status === 500) return accepted;
        accepted.push((answer.body as { result: { messageId: string } }).result.messageId);
      }
      throw new Error("The disk never was full");
    }

    function storedIds(): string[] {
      const database = new Database(intercom.daemon.directories.databaseFile, { readonly: true });
      try {
        checkStored(database, 0);
        checkFile(database);
        return database.prepare<[], string>("SELECT id FROM messages ORDER BY seq").pluck().all();
      } finally {
        database.close();
      }
    }

    it("refuses to take anything in, and says why", async () => {
      const before = await ada.tell(bob);
      disk.fill();
      const accepted = await sendUntilFull();
      expect(await ada.refused("sendMessage", { to: "bob", body: BIG })).toMatchObject(FULL);
      expect((await ada.refused("sendMessage", { to: "bob", body: BIG })).message).toMatch(
        /^Storage is full; nothing was accepted\./,
      );
      expect(storedIds()).toEqual([before, ...accepted]);
    });

    it("keeps what it accepted and nothing else, when many send at once", async () => {
      disk.fill();
      await sendUntilFull();
      const before = storedIds();
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          intercom.send("sendMessage", { to: "bob", body: index % 2 === 0 ? BIG : "small" }, { token: ada.token }),
        ),
      );
      const accepted = answers
        .filter(({ status }) => status === 202)
        .map(({ body }) => (body as { result: { messageId: string } }).result.messageId);
      for (const { status, body } of answers) {
        if (status !== 202) expect({ status, ...(body as { error: object }).error }).toMatchObject(FULL);
      }
      expect(answers.length - accepted.length).toBeGreaterThanOrEqual(30);
      expect(storedIds().slice(before.length).toSorted()).toEqual(accepted.toSorted());
    });

    it("is told by its health, and still answers what can be read", async () => {
      const messageId = await ada.tell(bob);
      disk.fill();
      await sendUntilFull();
      for (const path of ["/health", "/health/ready"]) {
        const response = await fetch(intercom.address + path);
        expect(response.status).toBe(503);
        expect(await response.json()).toMatchObject({ status: "not_ready", storage: { status: "unavailable" } });
      }
      expect(await intercom.call("liveness", {})).toMatchObject({ status: "alive" });
      expect(await ada.call("getReceipt", { messageId })).toMatchObject({ state: "queued" });
      expect(await scope.call("listAgents", {})).toHaveLength(2);
      expect((await scope.events()).length).toBeGreaterThan(0);
      expect(await intercom.admin.call("overview", {})).toMatchObject({ totals: { scopes: 1 } });
    });

    it("works again without a restart once there is room", async () => {
      disk.fill();
      const accepted = await sendUntilFull();
      expect((await fetch(`${intercom.address}/health`)).status).toBe(503);
      disk.free();
      expect((await fetch(`${intercom.address}/health`)).status).toBe(200);
      const later = await ada.tell(bob, { body: BIG });
      expect(storedIds()).toEqual([...accepted, later]);
      const messages = await bob.pull({ limit: 100 });
      expect(messages.map(({ id }) => id)).toEqual([...accepted, later].slice(0, 100));
      expect(await bob.call("acknowledgeMessages", { messageIds: [later] })).toBeDefined();
    });
  },
);
