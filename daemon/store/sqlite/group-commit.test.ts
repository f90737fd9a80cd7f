import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../../test/fixtures/temporary-directory.ts";
import { walCommits } from "../../../test/fixtures/wal-commits.ts";
import type { Transaction } from "../../core/index.ts";
import { GroupCommit } from "./group-commit.ts";
import { SqliteStore } from "./sqlite-store.ts";

const path = useTemporaryDirectory();
let file: string;
let store: SqliteStore;
let other: Database.Database;

beforeEach(() => {
  file = path("intercom.db");
  store = SqliteStore.open(file);
  other = new Database(file, { timeout: 0 });
});
afterEach(async () => {
  other.close();
  await store.close();
});

function addScope(id: string) {
  return async (tx: Transaction): Promise<string> => {
    await tx.run("INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES (?, ?, 'open', 0)", id, id);
    return id;
  };
}

/** What another connection sees. */
function scopeIds(): string[] {
  return other.prepare<[], string>("SELECT id FROM scopes ORDER BY id").pluck().all();
}

/** Commits `work` causes. */
async function commitsOf(work: () => Promise<unknown>): Promise<number> {
  const before = walCommits(file);
  await work();
  return walCommits(file) - before;
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `s${String(index).padStart(4, "0")}`);
const outcomesOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((outcome) =>
    outcome.status === "fulfilled" ? outcome.value : (outcome.reason as Error).message,
  );

describe("group commit", () => {
  it("gives the writes of one turn one transaction", async () => {
    expect(await commitsOf(() => Promise.all(names(200).map((id) => store.write(addScope(id)))))).toBe(1);
    expect(scopeIds()).toEqual(names(200));
  });

  it("gives writes of different turns transactions of their own", async () => {
    const commits = await commitsOf(async () => {
      for (const id of names(5)) await store.write(addScope(id));
    });
    expect(commits).toBe(5);
  });

  it("bounds one transaction to 256 writes", async () => {
    expect(await commitsOf(() => Promise.all(names(600).map((id) => store.write(addScope(id)))))).toBe(3);
    expect(scopeIds()).toHaveLength(600);
  });

  it("writes nothing when nobody changed anything", async () => {
    const look = () => store.write((tx) => tx.get("SELECT COUNT(*) AS n FROM scopes"));
    expect(await commitsOf(() => Promise.all([look(), look()]))).toBe(0);
  });

  it("runs writes in the order they came, each seeing the ones before it", async () => {
    const seen = await Promise.all(
      names(20).map((id) =>
        store.write(async (tx) => {
          await addScope(id)(tx);
          return (await tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM scopes"))?.n;
        }),
      ),
    );
    expect(seen).toEqual(names(20).map((_, index) => index + 1));
  });

  it("undoes a write that fails, before or after it has changed something, and keeps its neighbours", async () => {
    const calls = [
      store.write(addScope("a")),
      store.write(async () => {
        throw new Error("before");
      }),
      store.write(addScope("b")),
      store.write(async (tx) => {
        await addScope("lost")(tx);
        await tx.run("UPDATE scopes SET link_policy = 'explicit'");
        throw new Error("after");
      }),
      // Refused by the database itself.
      store.write(async (tx) => {
        await addScope("lost too")(tx);
        await addScope("a")(tx);
      }),
      store.write(addScope("c")),
    ];
    const commits = await commitsOf(async () => {
      expect(await outcomesOf(calls)).toEqual([
        "a",
        "before",
        "b",
        "after",
        expect.stringMatching(/UNIQUE constraint failed/),
        "c",
      ]);
    });
    expect(commits).toBe(1);
    expect(scopeIds()).toEqual(["a", "b", "c"]);
    expect(other.prepare("SELECT DISTINCT link_policy FROM scopes").pluck().all()).toEqual(["open"]);
  });

  it.each(["get", "all"] as const)("undoes a change that was made through %s", async (method) => {
    const failing = store.write(async (tx) => {
      await tx[method](
        "INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES ('lost', 'x', 'open', 0) RETURNING no",
      );
      throw new Error("after");
    });
    expect(await outcomesOf([store.write(addScope("a")), failing, store.write(addScope("b"))])).toEqual([
      "a",
      "after",
      "b",
    ]);
    expect(scopeIds()).toEqual(["a", "b"]);
  });

  it("runs them one by one when the transaction they share cannot be committed", async () => {
    const runs = new Map<string, number>();
    const counted = (id: string) =>
      store.write(async (tx) => {
        runs.set(id, (runs.get(id) ?? 0) + 1);
        return addScope(id)(tx);
      });
    const commits = await commitsOf(async () => {
      const outcomes = await outcomesOf([
        counted("a"),
        // Found out at the commit only, and then the commit fails for everybody.
        store.write(async (tx) => {
          await tx.run("PRAGMA defer_foreign_keys = ON");
          await tx.run("INSERT INTO conversations (scope_no, left_no, right_no) VALUES (999, 1, 2)");
        }),
        counted("b"),
        store.write(async (tx) => {
          await addScope("lost")(tx);
          throw new Error("its own");
        }),
      ]);
      expect(outcomes).toEqual(["a", expect.stringMatching(/FOREIGN KEY constraint failed/), "b", "its own"]);
    });
    expect(commits).toBe(2);
    expect(scopeIds()).toEqual(["a", "b"]);
    // Together, together with savepoints since one failed, and alone since the commit did.
    expect([...runs]).toEqual([
      ["a", 3],
      ["b", 3],
    ]);
    expect(await store.write(addScope("c"))).toBe("c");
  });

  it("settles promises after the commit can be seen by others, and not before", async () => {
    const calls = names(10).map((id) =>
      store
        .write(async (tx) => {
          const value = await addScope(id)(tx);
          expect(scopeIds()).toEqual([]);
          return value;
        })
        .then(() => expect(scopeIds()).toEqual(names(10))),
    );
    await Promise.all(calls);
  });

  it("finishes everything that was begun before it closes", async () => {
    const calls = names(700).map((id) => store.write(addScope(id)));
    await store.close();
    expect(await outcomesOf(calls)).toEqual(names(700));
    expect(scopeIds()).toHaveLength(700);
    await expect(store.write(addScope("late"))).rejects.toThrow(/not open/);
    store = SqliteStore.open(file);
  });

  it("drains at once when it is idle, and waits for what comes while it drains", async () => {
    const connection = new Database(path("plain.db"));
    connection.exec("CREATE TABLE t (n INTEGER)");
    const commits = new GroupCommit(connection, () => {});
    await commits.drain();
    const done: number[] = [];
    const insert = (n: number) =>
      commits.submit(async (tx) => {
        await tx.run("INSERT INTO t VALUES (?)", n);
        done.push(n);
      });
    const first = insert(1).then(() => insert(2));
    await commits.drain();
    expect(done[0]).toBe(1);
    await first;
    await commits.drain();
    expect(done).toEqual([1, 2]);
    connection.close();
  });

  it("refuses everybody at once while another program keeps the database to itself, and goes on afterwards", async () => {
    const connection = new Database(path("shared.db"), { timeout: 60 });
    connection.exec("CREATE TABLE t (n INTEGER)");
    const errors: unknown[] = [];
    const commits = new GroupCommit(connection, (error) => errors.push(error));
    const stranger = new Database(path("shared.db"));
    const insert = () => commits.submit((tx) => tx.run("INSERT INTO t VALUES (1)"));
    stranger.exec("BEGIN IMMEDIATE");
    const startedAt = performance.now();
    const outcomes = await outcomesOf(Array.from({ length: 50 }, insert));
    // One patience for all of them; one each would stop the daemon for minutes.
    expect(performance.now() - startedAt).toBeLessThan(1000);
    expect(new Set(outcomes)).toEqual(new Set(["database is locked"]));
    expect(errors.length).toBeGreaterThan(0);
    stranger.exec("ROLLBACK");
    expect(await insert()).toBe(1);
    stranger.close();
    connection.close();
  });

  describe("while somebody else writes", () => {
    /** Work that ends when it is told to. */
    function open() {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const begun = Promise.withResolvers<void>();
      const work = () => {
        begun.resolve();
        return promise;
      };
      return { work, begun: begun.promise, resolve, reject };
    }
    const turns = async (count = 5) => {
      for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };

    it("keeps still, and does what came meanwhile after it", async () => {
      const alone = open();
      const queued = store.write(addScope("queued before"));
      const pause = store.exclusively(alone.work);
      const during = ["a", "b"].map((id) => store.write(addScope(id)));
      await alone.begun;
      await turns();
      expect(scopeIds()).toEqual([]);
      // Another connection has the file to itself.
      other.exec("BEGIN IMMEDIATE");
      other.exec("INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES ('other', 'o', 'open', 0)");
      await turns();
      other.exec("COMMIT");
      alone.resolve("done");
      expect(await pause).toBe("done");
      expect(await Promise.all([queued, ...during])).toEqual(["queued before", "a", "b"]);
      expect(scopeIds()).toEqual(["a", "b", "other", "queued before"]);
    });

    it("waits until what is being written is", async () => {
      const begun: string[] = [];
      const running = store.write(async (tx) => {
        begun.push("write");
        return addScope("first")(tx);
      });
      await turns(1);
      await turns(1);
      await store.exclusively(async () => {
        begun.push("alone");
        expect(scopeIds()).toEqual(["first"]);
      });
      await running;
      expect(begun).toEqual(["write", "alone"]);
    });

    it("lets one after the other write alone, and those who wait in between", async () => {
      const [first, second] = [open(), open()];
      const order: string[] = [];
      const note = (what: string) => () => order.push(what);
      const pauses = [
        store.exclusively(first.work).then(note("first")),
        store.exclusively(second.work).then(note("second")),
      ];
      await first.begun;
      const between = store.write(addScope("between")).then(note("between"));
      await turns();
      expect(order).toEqual([]);
      first.resolve("");
      await second.begun;
      await turns();
      expect(order).toEqual(["first", "between"]);
      expect(scopeIds()).toEqual(["between"]);
      const after = store.write(addScope("after")).then(note("after"));
      await turns();
      expect(scopeIds()).toEqual(["between"]);
      second.resolve("");
      await Promise.all([...pauses, between, after]);
      expect(order).toEqual(["first", "between", "second", "after"]);
    });

    it("goes on when that fails", async () => {
      const alone = open();
      const pause = store.exclusively(alone.work);
      const next = store.exclusively(async () => "next");
      const waiting = store.write(addScope("a"));
      await alone.begun;
      alone.reject(new Error("broken"));
      await expect(pause).rejects.toThrow("broken");
      expect(await next).toBe("next");
      expect(await waiting).toBe("a");
      expect(await store.write(addScope("b"))).toBe("b");
    });

    it("loses nothing of what comes in any turn around short ones", async () => {
      const calls: Promise<string>[] = [];
      const pauses: Promise<unknown>[] = [];
      for (const [index, id] of names(300).entries()) {
        calls.push(store.write(addScope(id)));
        if (index % 7 === 0) pauses.push(store.exclusively(async () => {}));
        if (index % 11 === 0) pauses.push(store.exclusively(() => turns(index % 3)));
        if (index % 5 === 0) await turns(1);
      }
      expect(await Promise.all(calls)).toEqual(names(300));
      await Promise.all(pauses);
      expect(scopeIds()).toEqual(names(300));
    });

    it("is not closed before that is over", async () => {
      const alone = open();
      const pause = store.exclusively(alone.work);
      const waiting = store.write(addScope("a"));
      let closed = false;
      const closing = store.close().then(() => {
        closed = true;
      });
      await alone.begun;
      await turns();
      expect(closed).toBe(false);
      alone.resolve("");
      await Promise.all([pause, waiting, closing]);
      expect(scopeIds()).toEqual(["a"]);
      store = SqliteStore.open(file);
    });
  });
});
