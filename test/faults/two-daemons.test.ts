import { linkSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../fixtures/temporary-directory.ts";
import { TestDaemon } from "../support/daemon.ts";
import { type ChildOptions, DaemonProcess, killLeftovers, StartRefused } from "./daemon-process.ts";

const path = useTemporaryDirectory();
let first: TestDaemon;
beforeAll(async () => {
  first = await TestDaemon.start();
});
afterEach(killLeftovers);
afterAll(() => first.close());

async function refusal(options: ChildOptions): Promise<StartRefused> {
  try {
    await DaemonProcess.start(options);
  } catch (error) {
    if (error instanceof StartRefused) return error;
    throw error;
  }
  throw new Error("A second daemon was started");
}

/** The first one goes on as if nothing had been tried. */
async function expectUnharmed(): Promise<void> {
  const health = await first.call("health", {});
  expect(health).toMatchObject({ status: "ready", instanceId: first.daemon.instanceId });
  expect(JSON.parse(readFileSync(first.daemon.runFile, "utf8"))).toMatchObject({
    pid: process.pid,
    instanceId: first.daemon.instanceId,
    address: first.address,
  });
  await first.scope();
}

describe("a second daemon is told about the first, and leaves it alone,", () => {
  it("on the same directories", async () => {
    const { dataDir, runtimeDir } = first.daemon.directories;
    const error = await refusal({ dataDir, runtimeDir });
    expect(error.code).toBe("CONFLICT");
    expect(error.exitCode).toBe(1);
    expect(error.message).toContain(`${dataDir} is in use by the daemon at ${first.address} (pid ${process.pid}).`);
    expect(error.details).toEqual({ reason: "already_running", address: first.address, pid: process.pid });
    await expectUnharmed();
  });

  it("on other spellings of them", async () => {
    const { dataDir, runtimeDir } = first.daemon.directories;
    symlinkSync(first.home, path("elsewhere"));
    const spellings = [
      { dataDir: `${dataDir}/`, runtimeDir: `${runtimeDir}//` },
      { dataDir: join(dataDir, "..", ".", "data"), runtimeDir: `${runtimeDir}/.` },
      { dataDir: path("elsewhere", "data"), runtimeDir: path("elsewhere", "run") },
    ];
    for (const spelling of spellings) {
      const error = await refusal(spelling);
      expect(error.message).toContain(`in use by the daemon at ${first.address} (pid ${process.pid})`);
      expect(error.code).toBe("CONFLICT");
    }
    await expectUnharmed();
  });

  it("through a link in place of the data directory, which is refused as such", async () => {
    symlinkSync(first.daemon.directories.dataDir, path("data"));
    const error = await refusal({ dataDir: path("data"), runtimeDir: path("run") });
    expect(error.message).toMatch(/is a symbolic link\. Name the directory it points to instead\./);
    await expectUnharmed();
  });

  it("on the same data directory alone", async () => {
    const error = await refusal({ dataDir: first.daemon.directories.dataDir, runtimeDir: path("run") });
    expect(error.code).toBe("CONFLICT");
    expect(error.message).toMatch(/^The data directory .* is in use by another daemon\./);
    await expectUnharmed();
  });

  it("on the same runtime directory alone", async () => {
    const error = await refusal({ dataDir: path("data"), runtimeDir: first.daemon.directories.runtimeDir });
    expect(error.code).toBe("CONFLICT");
    expect(error.message).toMatch(/^The runtime directory /);
    expect(error.message).toContain(`by the daemon at ${first.address} (pid ${process.pid})`);
    await expectUnharmed();
  });

  it("on a hard link to its database", async () => {
    mkdirSync(path("data"), { mode: 0o700 });
    linkSync(first.daemon.directories.databaseFile, path("data", "intercom.db"));
    const error = await refusal({ dataDir: path("data"), runtimeDir: path("run") });
    expect(error.code).toBe("CONFLICT");
    expect(error.message).toMatch(/more than one name \(hard link\)/);
    await expectUnharmed();
  });
});

it("of two that are started at the same moment exactly one runs", async () => {
  const options = { dataDir: path("data"), runtimeDir: path("run") };
  const starts = await Promise.allSettled([1, 2, 3].map(() => DaemonProcess.start(options)));
  const started = starts.filter((start) => start.status === "fulfilled").map(({ value }) => value);
  const refused = starts.filter((start) => start.status === "rejected").map(({ reason }) => reason as StartRefused);
  expect(started).toHaveLength(1);
  for (const { code } of refused) expect(code).toBe("CONFLICT");
  const [daemon] = started as [DaemonProcess];
  expect(await daemon.call("health", {}, {})).toMatchObject({ status: "ready" });
  expect(await daemon.terminate()).toBe(0);
});
