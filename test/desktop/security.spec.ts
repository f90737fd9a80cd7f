// What a page, a stranger and another process cannot get: one line of the security checklist each.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type {} from "../desktop-host/handle.ts";
import { isStandIn } from "../support/desktop.ts";
import { bridge, expect, supervised, TEST_TIMEOUT_MS, test } from "./fixture.ts";

test.describe.configure({ timeout: TEST_TIMEOUT_MS });

test("a page has one global with two functions, and nothing of Node or Electron", async ({ launchDesktop }) => {
  const { page } = await bridge(await launchDesktop());
  const seen = await page.evaluate(() => {
    const scope = globalThis as unknown as Record<string, unknown>;
    return {
      bridge: Object.keys(scope.intercom as object).toSorted(),
      others: ["require", "process", "module", "Buffer", "electron", "ipcRenderer"].filter((name) => name in scope),
    };
  });
  expect(seen).toEqual({ bridge: ["invoke", "on"], others: [] });
});

test("a page cannot ask for what the contract does not have", async ({ launchDesktop }) => {
  const { page, invoke } = await bridge(await launchDesktop());
  const refused = await page.evaluate(async () => {
    const { intercom } = globalThis as unknown as { intercom: { invoke(name: string, value: unknown): unknown } };
    try {
      await intercom.invoke("shutdown", {});
      return "answered";
    } catch (error) {
      return String(error);
    }
  });
  expect(refused).toContain("unknown name");
  for (const operation of ["shutdown", "rotateScopeToken", "createConnector", "deleteScope"]) {
    const answer = await invoke("call", { operation: operation as never, input: {} });
    expect(answer, operation).toMatchObject({ ok: false, error: { code: "INVALID_ARGUMENT" } });
  }
});

test("a page talks to nobody, goes nowhere and opens nothing", async ({ launchDesktop }) => {
  const desktop = await launchDesktop();
  const bridged = await bridge(desktop);
  const { supervisor } = await supervised(bridged, ({ state }) => state === "ready");
  const { page } = bridged;
  const address = page.url();
  const windows = desktop.app.windows().length;
  const health = JSON.stringify(`${supervisor.address}/health`);
  expect(await page.evaluate(`fetch(${health}).then(() => "answered", () => "refused")`)).toBe("refused");
  await page.evaluate(`void window.open("https://example.com/")`);
  await page.evaluate(`void (window.location.href = "https://example.com/")`);
  // What was tried is over once the page answers again.
  await page.waitForFunction(`document.readyState === "complete"`);
  expect(page.url()).toBe(address);
  await expect.poll(() => desktop.app.windows().length).toBe(windows);
});

test("the credential is in no argument and no environment of the daemon", async ({ launchDesktop }) => {
  test.skip(process.platform !== "linux", "reads /proc");
  const desktop = await launchDesktop({ env: { AGENT_INTERCOM_ADMIN_TOKEN: "a".repeat(43), NODE_EXTRA_CA_CERTS: "" } });
  const { supervisor } = await supervised(await bridge(desktop), ({ state }) => state === "ready");
  const { adminToken } = JSON.parse(readFileSync(join(desktop.home.runtimeDir, "run.json"), "utf8")) as {
    adminToken: string;
  };
  const of = (name: string): string => readFileSync(`/proc/${supervisor.pid}/${name}`, "utf8");
  for (const text of [of("cmdline"), of("environ")]) expect(text).not.toContain(adminToken);
  expect(of("environ")).not.toContain("AGENT_INTERCOM_ADMIN_TOKEN");
  expect(of("environ")).not.toContain("NODE_EXTRA_CA_CERTS");
  for (const name of ["desktop.log", "daemon.log"]) {
    const file = join(desktop.home.dataDir, "logs", name);
    expect(existsSync(file) && readFileSync(file, "utf8").includes(adminToken)).toBe(false);
  }
});

test("strangers are not answered, and permissions are refused", async ({ launchDesktop }) => {
  test.skip(!isStandIn, "the stand-in speaks for the stranger");
  const desktop = await launchDesktop();
  await bridge(desktop);
  const answers = await desktop.app.evaluate(async () => [
    await desktopHost.ipc.invokeFrom("https://example.com/", "intercom:attach", [{}]),
    await desktopHost.ipc.invokeFrom("app://ui/index.html", "intercom:attach", [{}], false),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: "PERMISSION_DENIED" } });
  const granted = await desktop.app.evaluate(async () => {
    const details = { requestingUrl: "app://ui/index.html" };
    const names = ["media", "notifications", "geolocation", "clipboard-read", "clipboard-sanitized-write"];
    const asked = await Promise.all(names.map((name) => desktopHost.permissions.request(name, details)));
    return names.filter((_, index) => asked[index]);
  });
  expect(granted).toEqual(["clipboard-sanitized-write"]);
});

test("every window is sandboxed, and embeds nothing", async ({ launchDesktop }) => {
  test.skip(!isStandIn, "reads what the stand-in was asked for");
  const desktop = await launchDesktop();
  await bridge(desktop);
  const windows = await desktop.app.evaluate(() => desktopHost.recordings.of("BrowserWindow", "constructor"));
  expect(windows.length).toBeGreaterThan(0);
  for (const [options] of windows) {
    expect((options as { webPreferences: object }).webPreferences).toMatchObject({
      ...{ sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, spellcheck: false },
    });
  }
  const isAllowed = await desktop.app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return window && desktopHost.isAllowed(window.webContents as never, "will-attach-webview");
  });
  expect(isAllowed).toBe(false);
});
