import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withLock } from "./lock.mjs";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "intercom-lock-"));
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

function leaveLock(owner: unknown): void {
  mkdirSync(join(folder, "x.lock"));
  writeFileSync(join(folder, "x.lock", "owner.json"), JSON.stringify(owner));
}

test("lets one in at a time and leaves nothing behind", async () => {
  const steps: string[] = [];
  const enter = (name: string) =>
    withLock(
      "x",
      async () => {
        steps.push(`${name} in`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} out`);
      },
      { folder },
    );
  await Promise.all([enter("a"), enter("b"), enter("c")]);
  const pairs = [steps.slice(0, 2), steps.slice(2, 4), steps.slice(4, 6)];
  expect(pairs.map(([a]) => a?.[0]).sort()).toEqual(["a", "b", "c"]);
  for (const [enters, leaves] of pairs) expect(leaves).toBe(enters?.replace("in", "out"));
  expect(readdirSync(folder)).toEqual([]);
});

test("frees the lock when the work fails", async () => {
  await expect(withLock("x", () => Promise.reject(new Error("no")), { folder })).rejects.toThrow("no");
  expect(existsSync(join(folder, "x.lock"))).toBe(false);
});

test("takes over from a process that is gone", async () => {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  leaveLock({ pid, host: hostname() });
  expect(await withLock("x", async () => "mine", { folder })).toBe("mine");
});

test("takes over from another host only after its heartbeat stood still", async () => {
  leaveLock({ pid: 1, host: "elsewhere" });
  const startedAt = performance.now();
  expect(await withLock("x", async () => "mine", { folder, silentMs: 150 })).toBe("mine");
  expect(performance.now() - startedAt).toBeGreaterThan(140);
});
