import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../test/fixtures/temporary-directory.ts";
import { tryLock } from "./lock.ts";

const path = useTemporaryDirectory();
const onUnix = process.platform === "win32" ? it.skip : it;
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Another process that takes the lock and keeps it. Resolves to what it said. */
async function holdElsewhere(file: string): Promise<{ got: string; kill(): Promise<void> }> {
  const script = `
    import { tryLock } from ${JSON.stringify(join(import.meta.dirname, "lock.ts"))};
    globalThis.lock = tryLock(${JSON.stringify(file)});
    process.stdout.write(globalThis.lock ? "held" : "refused");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [got] = (await once(child.stdout, "data")) as [Buffer];
  return {
    got: got.toString(),
    kill: async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

describe("lock", () => {
  it("is held by one at a time in a process", () => {
    const lock = tryLock(path("lock"));
    expect(lock).toBeDefined();
    expect(tryLock(path("lock"))).toBeUndefined();
    lock?.release();
    const again = tryLock(path("lock"));
    expect(again).toBeDefined();
    again?.release();
  });

  it("is held by one process at a time, and free again when that is killed", async () => {
    const file = path("lock");
    const holder = await holdElsewhere(file);
    expect(holder.got).toBe("held");
    expect(tryLock(file)).toBeUndefined();
    expect((await holdElsewhere(file)).got).toBe("refused");
    await holder.kill();
    const lock = tryLock(file);
    expect(lock).toBeDefined();
    expect((await holdElsewhere(file)).got).toBe("refused");
    lock?.release();
  });

  onUnix("is one lock under every name of its file", async () => {
    mkdirSync(path("real"));
    symlinkSync(path("real"), path("linked"));
    const file = path("real", "lock");
    expect((await holdElsewhere(file)).got).toBe("held");
    linkSync(file, path("hard"));
    for (const name of [path("linked", "lock"), path("real", "..", "real", ".", "lock"), path("hard")]) {
      expect(tryLock(name), name).toBeUndefined();
    }
  });

  onUnix("is for the user alone", () => {
    const lock = tryLock(path("lock"));
    expect(statSync(path("lock")).mode & 0o777).toBe(0o600);
    lock?.release();
  });

  it("does not mind what an earlier holder left", () => {
    tryLock(path("lock"))?.release();
    const lock = tryLock(path("lock"));
    expect(lock).toBeDefined();
    lock?.release();
  });

  onUnix("is not taken on a link, which could lead anywhere", () => {
    writeFileSync(path("target"), "", { mode: 0o644 });
    symlinkSync(path("target"), path("lock"));
    expect(() => tryLock(path("lock"))).toThrow(/not a regular file/);
    expect(statSync(path("target")).mode & 0o777).toBe(0o644);
  });

  it("throws, rather than guess, when the file is something else", () => {
    writeFileSync(path("text"), "not a lock".repeat(200));
    expect(() => tryLock(path("text"))).toThrow();
    mkdirSync(path("directory"));
    expect(() => tryLock(path("directory"))).toThrow();
  });
});
