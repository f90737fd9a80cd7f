import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../../test/fixtures/temporary-directory.ts";
import type { Transaction } from "../../core/index.ts";
import { SqliteStore } from "./sqlite-store.ts";

const path = useTemporaryDirectory();
let store: SqliteStore;
beforeEach(() => {
  store = SqliteStore.open(path("intercom.db"));
});
afterEach(() => store.close());

const addScope = (id: string) => (tx: Transaction) =>
  tx.run("INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES (?, ?, 'open', 0)", id, id);
const countScopes = async (tx: Transaction) => (await tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM scopes"))?.n;

describe("snapshot reader", () => {
  it("sees what was committed before, and nothing of what is written while it looks", async () => {
    await store.write(addScope("a"));
    const seen = await store.read(async (tx) => {
      const before = await countScopes(tx);
      // Not blocked by the reader, and not visible to it.
      await store.write(addScope("b"));
      return [before, await countScopes(tx)];
    });
    expect(seen).toEqual([1, 1]);
    expect(await store.read(countScopes)).toBe(2);
  });

  it("reads while a write is under way, and sees the state before it", async () => {
    const inside = await store.write(async (tx) => {
      await addScope("a")(tx);
      return store.read(countScopes);
    });
    expect(inside).toBe(0);
    expect(await store.read(countScopes)).toBe(1);
  });

  it("cannot write", async () => {
    await expect(store.read(addScope("a"))).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await store.read(countScopes)).toBe(0);
  });

  it("gives each its own result, failed ones included, and goes on", async () => {
    const calls = await Promise.allSettled([
      store.read(async () => 1),
      store.read(async () => {
        throw new Error("mine");
      }),
      store.read((tx) => tx.get("SELECT nonsense FROM nowhere")),
      store.read(countScopes),
    ]);
    expect(calls.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(calls[3]).toMatchObject({ value: 0 });
  });
});
