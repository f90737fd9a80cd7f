import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../test/fixtures/temporary-directory.ts";
import { TestClock } from "../../test/support/clock.ts";
import type { Context } from "../core/index.ts";
import { silentLogger } from "../runtime/index.ts";
import { SqliteStore } from "../store/index.ts";
import { type Clock, SystemClock } from "./clock.ts";
import { Deadlines } from "./deadlines.ts";
import { TimeOrderedIds } from "./ids.ts";

const path = useTemporaryDirectory();
let store: SqliteStore;
let clock: TestClock;
/** The clock of the deadlines, where it is another one. */
let other: Clock | undefined;
let deadlines: Deadlines;
/** Transactions that were run to settle, and what happens inside the next one. */
let settled: number;
let during: ((ctx: Context) => Promise<unknown>) | undefined;

async function run<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  settled += 1;
  return store.write(async (tx) => {
    const ctx: Context = {
      tx,
      access: "write",
      repeatAsWrite: false,
      now: (other ?? clock).now(),
      ids: new TimeOrderedIds(() => clock.now()),
      outside: { version: "0.0.0", publicUrl: "http://127.0.0.1", a2aMessageLimit: 1, a2aByteLimit: 1 },
      actor: undefined,
      sharedQuestions: false,
      wakes: new Set(),
      deadline: (at) => deadlines.note(at),
      sessionUsed: () => {},
    };
    const result = await work(ctx);
    // Work that fails may run several times; what fails here fails each time.
    await during?.(ctx);
    during = undefined;
    return result;
  });
}

beforeEach(async () => {
  store = SqliteStore.open(path("intercom.db"));
  clock = new TestClock();
  other = undefined;
  settled = 0;
  during = undefined;
  deadlines = new Deadlines(clock, silentLogger, run);
  // After a start everything counts as due once.
  await deadlines.settleDue();
  expect(settled).toBe(1);
});
afterEach(() => store.close());

/** Lets `ms` pass and tells how many transactions it took to settle. */
async function pass(ms: number): Promise<number> {
  const before = settled;
  clock.advance(ms);
  await deadlines.settleDue();
  return settled - before;
}

describe("deadlines", () => {
  it("cost nothing while nothing is due", async () => {
    expect(await pass(365 * 86_400_000)).toBe(0);
    expect(deadlines.due).toBe(false);
  });

  it("are looked at when the earliest one noted has come, and not a moment earlier", async () => {
    deadlines.note(clock.now() + 5000);
    deadlines.note(clock.now() + 1000);
    deadlines.note(clock.now() + 9000);
    expect(await pass(999)).toBe(0);
    expect(await pass(1)).toBe(1);
    // The store knows of none: what was noted for a call that was rolled back does no harm.
    expect(await pass(60_000)).toBe(0);
  });

  it("are settled by one transaction, however many calls notice at once", async () => {
    deadlines.note(clock.now());
    const calls = Array.from({ length: 50 }, () => deadlines.settleDue());
    // Whoever asks while they are being settled has to wait for that too.
    expect(deadlines.due).toBe(true);
    await Promise.all(calls);
    expect(settled).toBe(2);
    expect(deadlines.due).toBe(false);
  });

  it("survive when they are noted while others are being settled", async () => {
    deadlines.note(clock.now());
    during = async (ctx) => ctx.deadline(clock.now() + 700);
    await deadlines.settleDue();
    expect(await pass(699)).toBe(0);
    expect(await pass(1)).toBe(1);
  });

  it("are settled too when they fall due while others are being settled", async () => {
    deadlines.note(clock.now());
    during = async (ctx) => {
      ctx.deadline(clock.now() + 10);
      clock.advance(10);
    };
    await deadlines.settleDue();
    expect(settled).toBe(3);
  });

  it("are tried again when settling failed", async () => {
    deadlines.note(clock.now());
    during = async () => {
      throw new Error("no");
    };
    await expect(deadlines.settleDue()).rejects.toThrow("no");
    during = undefined;
    await deadlines.settleDue();
    expect(settled).toBe(3);
    expect(deadlines.due).toBe(false);
  });

  it("follow the clock when it jumps, either way", async () => {
    for (const ms of [3_600_000, -7_200_000]) {
      const before = settled;
      clock.jump(ms);
      await deadlines.settleDue();
      // Leases moved, then everything looked at.
      expect(settled - before).toBe(2);
      expect(deadlines.due).toBe(false);
    }
  });

  it("take no lease away when the clock jumps while they are being settled", async () => {
    const time = { wall: clock.now(), steady: 0 };
    other = new SystemClock(
      () => time.wall,
      () => time.steady,
    );
    deadlines = new Deadlines(other, silentLogger, run);
    await store.write(async (tx) => {
      await tx.run("INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES ('s', 's', 'open', 0)");
      await tx.run(
        `INSERT INTO agents (scope_no, id, display_name, capabilities, notices, lifecycle, ready, registered_at, updated_at, last_seen_at)
         VALUES (1, 'a', 'a', '[]', 1, 'ready', 1, 0, 0, 0)`,
      );
      await tx.run(
        "INSERT INTO executions (id, agent_no, token_hash, lease_expires_at, created_at) VALUES ('e', 1, 't', ?, 0)",
        time.wall + 300_000,
      );
    });
    const lease = () =>
      store.read((tx) => tx.get("SELECT lease_expires_at AS at FROM executions WHERE ended_at IS NULL"));
    // The machine falls asleep right after somebody has looked at the clock.
    const settling = deadlines.settleDue();
    time.wall += 3_600_000;
    await settling;
    await deadlines.settleDue();
    expect(await lease()).toEqual({ at: time.wall + 300_000 });
    // And once more, when storing the jump fails the first time.
    time.wall -= 7_200_000;
    during = async () => {
      throw new Error("no");
    };
    await expect(deadlines.settleDue()).rejects.toThrow("no");
    during = undefined;
    await deadlines.settleDue();
    expect(await lease()).toEqual({ at: time.wall + 300_000 });
    expect(deadlines.due).toBe(false);
  });

  it("know more than one batch of things that are due", async () => {
    await store.write(async (tx) => {
      await tx.run("INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES ('s', 's', 'open', 0)");
      await tx.run(
        `INSERT INTO agents (scope_no, id, display_name, capabilities, notices, lifecycle, ready, registered_at, updated_at, last_seen_at)
         VALUES (1, 'a', 'a', '[]', 1, 'ready', 1, 0, 0, 0)`,
      );
      for (let n = 0; n < 450; n += 1) {
        await tx.run(
          `INSERT INTO escalations (id, scope_no, agent_no, kind, urgency, question, options, context, status, created_at, expires_at)
           VALUES (?, 1, 1, 'input', 'normal', 'q', '[]', '[]', 'pending', 0, ?)`,
          `ask_${n}`,
          clock.now() + 1000,
        );
      }
    });
    deadlines.note(clock.now() + 1000);
    expect(await pass(1000)).toBe(3);
    const pending = await store.read((tx) => tx.get("SELECT 1 AS found FROM escalations WHERE status = 'pending'"));
    expect(pending).toBeUndefined();
  });

  it("are looked at by themselves while started", async () => {
    deadlines.start();
    deadlines.note(clock.now());
    await expect.poll(() => settled, { timeout: 3000, interval: 20 }).toBe(2);
    deadlines.stop();
  });
});
