// How the app starts, is started again, and keeps what the human has set.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Desktop } from "../support/desktop.ts";
import { bridge, expect, PATIENCE_MS, snapshot, TEST_TIMEOUT_MS, test } from "./fixture.ts";

const QUESTION = `ask_${"0123456789abcdef".repeat(2)}`;

/** Starts the same app once more, as a person or a browser would; resolves when that start has ended. */
async function startAgain({ again }: Desktop, ...args: string[]): Promise<number | null> {
  const child = spawn(again.file, [...again.args, ...args], { env: again.env, stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

/** Addresses of the pages that can be seen. */
function shownPages({ app }: Desktop): Promise<string[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((window) => window.isVisible())
      // Where in the page the human is, is the page's business.
      .map(({ webContents }) => webContents.getURL().replace(/#.*/, "")),
  );
}

test.describe.configure({ timeout: TEST_TIMEOUT_MS });

test("started hidden it shows nothing, and started again it shows itself", async ({ launchDesktop }) => {
  const desktop = await launchDesktop({ args: ["--hidden"] });
  expect(await shownPages(desktop)).toEqual([]);
  expect(await startAgain(desktop)).toBe(0);
  await expect.poll(() => shownPages(desktop), { timeout: PATIENCE_MS }).toEqual(["app://ui/index.html"]);
});

test("a deep link shows the question it names and decides nothing", async ({ launchDesktop }) => {
  const desktop = await launchDesktop({ args: ["--hidden"] });
  expect(await startAgain(desktop, `agent-intercom://escalation/${QUESTION}`)).toBe(0);
  await expect.poll(() => shownPages(desktop), { timeout: PATIENCE_MS }).toEqual(["app://ui/answer.html"]);
});

test("a deep link of another form only shows the app", async ({ launchDesktop }) => {
  const desktop = await launchDesktop({ args: ["--hidden"] });
  expect(await startAgain(desktop, `agent-intercom://escalation/${QUESTION}?answer=yes`)).toBe(0);
  await expect.poll(() => shownPages(desktop), { timeout: PATIENCE_MS }).toEqual(["app://ui/index.html"]);
});

test("settings are kept for the owner alone, and are in effect after the next start", async ({ launchDesktop }) => {
  const desktop = await launchDesktop();
  const page = await bridge(desktop);
  const answer = await page.invoke("changeSettings", { theme: "dark", locale: "de", retentionDays: 30 });
  expect(answer).toMatchObject({ ok: true, result: { theme: "dark", locale: "de" } });
  expect(await desktop.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe("dark");
  expect((await snapshot(page)).desktop).toMatchObject({ locale: "de", settings: { retentionDays: 30 } });
  const file = join(desktop.home.userData, "desktop.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ theme: "dark" });
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  await desktop.app.close();

  const next = await launchDesktop({ home: desktop.home });
  expect((await snapshot(await bridge(next))).desktop).toMatchObject({ locale: "de", settings: { theme: "dark" } });
  expect(await next.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe("dark");
});

test("settings that cannot be read are moved aside and said so", async ({ freshHome, launchDesktop }) => {
  const home = freshHome();
  writeFileSync(join(home.userData, "desktop.json"), '{"theme":"dark","sparkle":true}');
  const page = await bridge(await launchDesktop({ home }));
  const { desktop } = await snapshot(page);
  expect(desktop.settings.theme).toBe("system");
  // Where nothing shows icons, there is a notice of that, too.
  const notice = desktop.notices.find(({ code }) => code === "settings-moved-aside");
  expect(notice?.values.problem).toContain("sparkle");
  const aside = readdirSync(home.userData).find((name) => name.startsWith("desktop.json.unusable-"));
  expect(notice?.values.file).toBe(join(home.userData, aside ?? ""));

  await page.invoke("dismissNotice", { id: notice?.id ?? "" });
  await expect.poll(async () => (await snapshot(page)).desktop.notices).not.toContainEqual(notice);
});

test("diagnostics are copied without the credential, and a backup is written where it was asked for", async ({
  launchDesktop,
}) => {
  const desktop = await launchDesktop();
  const page = await bridge(desktop);
  const runFile = join(desktop.home.runtimeDir, "run.json");
  await expect.poll(() => existsSync(runFile), { timeout: PATIENCE_MS }).toBe(true);
  const { adminToken } = JSON.parse(readFileSync(runFile, "utf8")) as { adminToken: string };
  await expect.poll(async () => (await snapshot(page)).live.link.state, { timeout: PATIENCE_MS }).toBe("live");

  expect(await page.invoke("copyDiagnostics", {})).toMatchObject({ ok: true });
  const copied = await desktop.app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toContain("the desktop is ready");
  expect(copied).not.toContain(adminToken);

  const file = join(desktop.home.userData, "backup.db");
  await desktop.app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath });
  }, file);
  expect(await page.invoke("backup", {})).toMatchObject({ ok: true, result: { file, bytes: statSync(file).size } });
  await desktop.app.evaluate(({ dialog }) => {
    dialog.showSaveDialog = async () => ({ canceled: true, filePath: "" });
  });
  expect(await page.invoke("backup", {})).toEqual({ ok: true, result: null });
});

test("the clients of this machine are listed with what to paste", async ({ freshHome, launchDesktop }) => {
  const home = freshHome();
  const page = await bridge(await launchDesktop({ home, env: { HOME: home.userData } }));
  const clients = await page.invoke("listClients", {});
  if (!clients.ok) throw new Error(clients.error.message);
  expect(clients.result.length).toBeGreaterThan(10);
  expect(clients.result.every(({ snippet }) => snippet.text.includes("agent-intercom"))).toBe(true);
  expect(await page.invoke("connectClient", { client: "codex" })).toMatchObject({
    ok: true,
    result: { client: { state: "connected", canUndo: true } },
  });
  expect(readFileSync(join(home.userData, ".codex", "config.toml"), "utf8")).toContain("[mcp_servers.intercom]");
  expect(await page.invoke("undoClient", { client: "codex" })).toMatchObject({
    ok: true,
    result: { client: { state: "absent" } },
  });
});
