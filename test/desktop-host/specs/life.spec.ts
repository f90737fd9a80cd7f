import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, seen, test } from "./fixture.ts";

test("quitting can be refused, and then happens, with exit code 0", async ({ desktop }) => {
  const { app } = desktop;
  const main = app.process();
  await app.evaluate(() => {
    globalThis.fixture.refusesToQuit = true;
    desktopHost.tray.choose("quit");
  });
  expect(await seen(desktop)).toContain("before-quit");
  await app.evaluate(() => {
    globalThis.fixture.refusesToQuit = false;
  });
  const closed = app.waitForEvent("close");
  await app.evaluate(() => desktopHost.tray.choose("quit"));
  await closed;
  expect(main.exitCode).toBe(0);
});

test("a window that refuses to close keeps the app from quitting", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const order = await desktop.app.evaluate(({ app, BrowserWindow }) => {
    const log: string[] = [];
    const window = new BrowserWindow({ show: false });
    window.on("close", (event) => {
      log.push("close");
      event.preventDefault();
    });
    app.on("will-quit", () => log.push("will-quit"));
    app.quit();
    globalThis.fixture.isQuitting = false;
    return [...log, window.isDestroyed()];
  });
  expect(order).toEqual(["close", false]);
});

test("a second instance tells the first one what it was started with, and ends", async ({ desktop }) => {
  const { file, args, env } = desktop.again;
  const second = spawn(file, [...args, "agent-intercom://escalation/1"], { env, stdio: "ignore" });
  const [code] = await once(second, "exit");
  expect(code).toBe(0);
  await expect.poll(() => seen(desktop)).toContain('second agent-intercom://escalation/1 {"from":"fixture"}');
  await expect(await desktop.window("Fixture")).toHaveTitle("Fixture");
});

test("a lock left by a killed app is taken over", async ({ desktop, launchFixture }) => {
  const main = desktop.app.process();
  const gone = once(main, "exit");
  main.kill("SIGKILL");
  await gone;
  const again = await launchFixture({ home: desktop.home });
  expect(await again.app.evaluate(({ app }) => app.hasSingleInstanceLock())).toBe(true);
});

test("SIGTERM quits in order", async ({ desktop }) => {
  const main = desktop.app.process();
  const gone = once(main, "exit");
  main.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
});

test("the app knows its name, version and places", async ({ desktop }) => {
  const facts = await desktop.app.evaluate(({ app }) => ({
    name: app.getName(),
    version: app.getVersion(),
    isPackaged: app.isPackaged,
    userData: app.getPath("userData"),
    logs: app.getPath("logs"),
    language: app.getPreferredSystemLanguages(),
    type: process.type,
    electron: process.versions.electron,
  }));
  expect(facts).toMatchObject({ name: "FixtureApp", version: "1.2.3", isPackaged: false, language: ["en-US"] });
  expect(facts).toMatchObject({ userData: desktop.home.userData, type: "browser", electron: "45.5.0" });
});

test("what the stand-in lacks is an error that says so, never undefined", async ({ desktop }) => {
  const errors = await desktop.app.evaluate(({ app, BrowserWindow, shell }) => {
    const window = new BrowserWindow({ show: false });
    const missing: [object, string][] = [
      [app, "setJumpList"],
      [shell, "writeShortcutLink"],
      [window, "setThumbarButtons"],
      [window.webContents, "printToPDF"],
      [BrowserWindow, "addExtension"],
    ];
    return missing.map(([object, name]) => {
      try {
        return String(Reflect.get(object, name));
      } catch (error) {
        return String(error);
      }
    });
  });
  expect(errors).toEqual([
    expect.stringContaining("does not offer App.setJumpList"),
    expect.stringContaining("does not offer Shell.writeShortcutLink"),
    expect.stringContaining("does not offer BrowserWindow.setThumbarButtons"),
    expect.stringContaining("does not offer WebContents.printToPDF"),
    expect.stringContaining("does not offer BrowserWindow.addExtension"),
  ]);
});

test("import and require give the same module, and a missing member of it throws", async ({ desktop }) => {
  const facts = await desktop.app.evaluate(async (electron) => {
    const { createRequire } = process.getBuiltinModule("node:module");
    const required = createRequire(`${process.cwd()}/`)("electron") as Record<string, unknown>;
    const reading = () => {
      try {
        return String(required.inAppPurchase);
      } catch (error) {
        return String(error);
      }
    };
    return [required.app === electron.app, required.BrowserWindow === electron.BrowserWindow, reading()];
  });
  expect(facts).toEqual([true, true, expect.stringContaining("does not offer ElectronModule.inAppPurchase")]);
});
