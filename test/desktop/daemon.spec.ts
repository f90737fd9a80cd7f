// The daemon under the desktop's eyes: started, found, lost, in the way. Real processes throughout.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { AdminClient } from "../../client/index.ts";
import { startDaemon } from "../../daemon/index.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { type RunFile, readRunFile, writeRunFile } from "../../daemon/runtime/run-file.ts";
import type { DesktopHome } from "../support/desktop.ts";
import { bridge, expect, PATIENCE_MS, snapshot, supervised, TEST_TIMEOUT_MS, test } from "./fixture.ts";

const isReady = ({ state }: { state: string }): boolean => state === "ready";

function runFileOf({ runtimeDir }: DesktopHome): RunFile | undefined {
  const reading = readRunFile(join(runtimeDir, "run.json"));
  return reading.state === "present" ? reading.run : undefined;
}

test.describe.configure({ timeout: TEST_TIMEOUT_MS });

test("starts a daemon of its own, which ends in good order with the app", async ({ launchDesktop }) => {
  const desktop = await launchDesktop();
  const page = await bridge(desktop);
  const { supervisor } = await supervised(page, isReady);
  expect(supervisor.owner).toBe("desktop");
  expect(supervisor.pid).not.toBe(desktop.app.process().pid);
  const overview = await page.invoke("call", { operation: "overview", input: {} });
  expect(overview).toMatchObject({ ok: true, result: { scopes: [{ scopeId: "default", linkPolicy: "open" }] } });

  const closed = desktop.app.waitForEvent("close");
  // The window goes with the app, so there may be no answer.
  await page.invoke("quit", {}).catch(() => undefined);
  await closed;
  expect(isProcessAlive(supervisor.pid ?? 0)).toBe(false);
  expect(runFileOf(desktop.home)).toBeUndefined();
  // Everything is in the database itself.
  expect(existsSync(join(desktop.home.dataDir, "intercom.db-wal"))).toBe(false);
});

test("starts another one when it is killed, while the window stays and says so", async ({ launchDesktop }) => {
  const desktop = await launchDesktop();
  const page = await bridge(desktop);
  const { supervisor } = await supervised(page, isReady);
  await page.page.evaluate("globalThis.typed = 'and not sent'");
  process.kill(supervisor.pid ?? 0, "SIGKILL");
  const after = await supervised(page, (view) => view.state === "ready" && view.pid !== supervisor.pid);
  expect(isProcessAlive(after.supervisor.pid ?? 0)).toBe(true);
  // The page has not been loaded anew: what was typed is still there.
  expect(await page.page.evaluate("globalThis.typed")).toBe("and not sent");
  await expect.poll(async () => (await snapshot(page)).live.link.state).toBe("live");
  expect((await snapshot(page)).live.daemon?.instanceId).toBe(runFileOf(desktop.home)?.instanceId);
});

test("ends by itself when the app was killed", async ({ launchDesktop }) => {
  const desktop = await launchDesktop();
  const { supervisor } = await supervised(await bridge(desktop), isReady);
  desktop.app.process().kill("SIGKILL");
  await expect.poll(() => isProcessAlive(supervisor.pid ?? 0), { timeout: PATIENCE_MS }).toBe(false);
});

test("uses a daemon that runs already, and leaves it running", async ({ freshHome, launchDesktop }) => {
  const home = freshHome();
  const daemon = await startDaemon({ ...home, port: 0, env: {} });
  try {
    const desktop = await launchDesktop({ home });
    const page = await bridge(desktop);
    const { supervisor } = await supervised(page, isReady);
    expect(supervisor).toMatchObject({ owner: "cli", pid: process.pid, address: daemon.address });
    expect(await page.invoke("restartDaemon", {})).toMatchObject({ ok: false, error: { code: "CONFLICT" } });
    await desktop.app.close();
    const { instanceId } = await new AdminClient({ address: daemon.address, adminToken: "" }).health();
    expect(instanceId).toBe(daemon.instanceId);
  } finally {
    await daemon.stop();
  }
});

test("replaces one that it has found running once that is gone", async ({ freshHome, launchDesktop }) => {
  const home = freshHome();
  const daemon = await startDaemon({ ...home, port: 0, env: {} });
  const desktop = await launchDesktop({ home });
  const page = await bridge(desktop);
  await supervised(page, ({ owner }) => owner === "cli");
  await daemon.stop();
  const { supervisor } = await supervised(page, (view) => view.state === "ready" && view.owner === "desktop");
  expect(supervisor.pid).not.toBe(process.pid);
});

/** A process of its own that answers as a daemon of another protocol would, and has left a run file. */
async function foreignDaemon({ runtimeDir }: DesktopHome): Promise<ChildProcess> {
  const health = {
    ...{ name: "agent-intercom", protocolVersion: "9.0", runtimeVersion: "9.9.9", features: [], compatible: [] },
    ...{ instanceId: "dmn_foreign", status: "ready", startedAt: "2026-01-01T00:00:00.000Z" },
    storage: { backend: "sqlite", status: "available" },
  };
  const program = `
    const server = require("node:http").createServer((_, response) =>
      response.setHeader("Content-Type", "application/json").end(${JSON.stringify(JSON.stringify(health))}));
    server.listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  writeRunFile(join(runtimeDir, "run.json"), {
    ...{ address: `http://127.0.0.1:${Number(String(port))}`, pid: child.pid ?? 0, instanceId: "dmn_foreign" },
    ...{ version: "9.9.9", protocolVersion: "9.0", schema: 99, startedAt: "2026-01-01T00:00:00.000Z" },
    owner: "service",
    adminToken: "t".repeat(43),
  });
  return child;
}

test("explains a daemon of another protocol, does not fight it, and takes over when it is gone", async ({
  freshHome,
  launchDesktop,
}) => {
  const home = freshHome();
  const foreign = await foreignDaemon(home);
  const page = await bridge(await launchDesktop({ home }));
  const { supervisor } = await supervised(page, ({ state }) => state === "incompatible");
  expect(supervisor.problem).toMatchObject({ details: { reason: "other_protocol", theirs: "9.0" } });
  expect(await page.invoke("call", { operation: "overview", input: {} })).toMatchObject({
    ok: false,
    error: { details: { reason: "network" } },
  });
  expect(foreign.exitCode).toBeNull();
  foreign.kill("SIGKILL");
  await supervised(page, (view) => view.state === "ready" && view.owner === "desktop");
});

test("does not follow a run file that others could have written", async ({ freshHome, launchDesktop }) => {
  const home = freshHome();
  writeFileSync(join(home.runtimeDir, "run.json"), "{}", { mode: 0o666 });
  const page = await bridge(await launchDesktop({ home }));
  const { supervisor } = await supervised(page, ({ state }) => state === "failed");
  expect(supervisor.problem).toMatchObject({ details: { reason: "untrusted_run_file" } });
});

test("two apps with the same data share one daemon", async ({ freshHome, launchDesktop }) => {
  const first = await launchDesktop();
  const own = await supervised(await bridge(first), isReady);
  const other = await launchDesktop({ home: { ...first.home, userData: freshHome().userData } });
  const page = await bridge(other);
  const shared = await supervised(page, isReady);
  expect(shared.supervisor.pid).toBe(own.supervisor.pid);
  await first.app.close();
  const { supervisor } = await supervised(page, (view) => view.state === "ready" && view.pid !== own.supervisor.pid);
  expect(supervisor.owner).toBe("desktop");
});

test("keeps its daemon through a sleep, and reads everything anew after it", async ({ launchDesktop }) => {
  const desktop = await launchDesktop();
  const page = await bridge(desktop);
  const { supervisor } = await supervised(page, isReady);
  await expect.poll(async () => (await snapshot(page)).live.link.state).toBe("live");
  const before = (await snapshot(page)).live.link.since;
  await desktop.app.evaluate(({ powerMonitor }) => {
    powerMonitor.emit("suspend");
    powerMonitor.emit("resume");
  });
  await expect.poll(async () => (await snapshot(page)).live.link.since).not.toBe(before);
  expect((await snapshot(page)).desktop.supervisor).toMatchObject({ state: "ready", pid: supervisor.pid });
});
