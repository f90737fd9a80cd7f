import { expect, seen, test } from "./fixture.ts";

test("closing hides the window while the app refuses, and showing it keeps the page", async ({ desktop, page }) => {
  await page.evaluate("globalThis.mark = 1");
  const window = await desktop.app.browserWindow(page);
  await window.evaluate((each) => each.close());
  expect(await window.evaluate((each) => [each.isDestroyed(), each.isVisible()])).toEqual([false, false]);
  await desktop.app.evaluate(() => desktopHost.tray.choose("open"));
  expect(await window.evaluate((each) => [each.isVisible(), each.isFocused()])).toEqual([true, true]);
  expect(await page.evaluate("globalThis.mark")).toBe(1);
});

test("a window that closes for good takes its page along and tells the app", async ({ desktop, page }) => {
  const closed = page.waitForEvent("close");
  await desktop.app.evaluate(({ BrowserWindow, app }) => {
    const [window] = BrowserWindow.getAllWindows();
    window?.on("closed", () => globalThis.fixture.seen.push("closed"));
    globalThis.fixture.isQuitting = true;
    window?.close();
    app.emit("activate");
  });
  await closed;
  expect(await seen(desktop)).toEqual(expect.arrayContaining(["closed", "window-all-closed"]));
  const left = await desktop.app.evaluate(({ BrowserWindow, webContents }) => [
    BrowserWindow.getAllWindows().length,
    webContents.getAllWebContents().length,
  ]);
  expect(left).toEqual([0, 0]);
});

test("Playwright closing a page asks the app's window first", async ({ desktop, page }) => {
  const isVisible = () => desktop.app.evaluate(() => globalThis.fixture.window?.isVisible());
  const closing = page.close();
  await expect.poll(isVisible).toBe(false);
  expect(page.isClosed()).toBe(false);
  await desktop.app.evaluate(() => globalThis.fixture.window?.destroy());
  await closing;
});

test("the page is loaded again by the app and by the spec, with bridge and preload", async ({ desktop, page }) => {
  const load = page.waitForEvent("load");
  await desktop.app.evaluate(() => globalThis.fixture.window?.webContents.reload());
  await load;
  await page.reload();
  await page.getByRole("button", { name: "Ask the worker" }).click();
  await expect(page.locator("#reply")).toHaveText(/worker heard hello/);
  expect(await seen(desktop)).not.toContain("navigate app://ui/index.html");
});

test("events come in Electron's order, focus is in one window at a time", async ({ desktop }) => {
  const events = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const log: string[] = [];
    const watch = (name: string) => {
      const window = new BrowserWindow({ show: false });
      for (const event of [
        "ready-to-show",
        "show",
        "focus",
        "blur",
        "hide",
        "minimize",
        "restore",
        "close",
        "closed",
      ]) {
        window.on(event as "show", () => log.push(`${name} ${event}`));
      }
      return window;
    };
    const one = watch("one");
    const two = watch("two");
    await Promise.all([one.loadURL("app://ui/other.html"), two.loadURL("app://ui/other.html")]);
    log.length = 0;
    one.show();
    two.show();
    two.minimize();
    two.restore();
    one.focus();
    one.hide();
    two.destroy();
    one.close();
    return log;
  });
  expect(events).toEqual([
    "one show",
    "one focus",
    "two show",
    "one blur",
    "two focus",
    "two blur",
    "two minimize",
    "two restore",
    "two focus",
    "two blur",
    "one focus",
    "one blur",
    "one hide",
    "two closed",
    "one close",
    "one closed",
  ]);
});

test("ready-to-show comes once, after the first load", async ({ desktop }) => {
  const events = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    const log: string[] = [];
    const window = new BrowserWindow({ show: false });
    window.once("ready-to-show", () => log.push("ready"));
    window.webContents.on("did-finish-load", () => log.push("loaded"));
    await window.loadURL("app://ui/other.html");
    await window.loadURL("app://ui/other.html");
    window.destroy();
    return log;
  });
  expect(events.filter((each) => each === "ready")).toHaveLength(1);
  expect(events.filter((each) => each === "loaded")).toHaveLength(2);
});

test("what cannot be loaded rejects with Chromium's reason", async ({ desktop }) => {
  const reasons = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    globalThis.fixture.isQuitting = true;
    const window = new BrowserWindow({ show: false });
    const reasonOf = (url: string) => window.loadURL(url).then(() => "loaded", String);
    return [await reasonOf("nobody://handles/this"), await reasonOf("https://example.com/")];
  });
  expect(reasons[0]).toMatch(/ERR_ABORTED|ERR_UNKNOWN_URL_SCHEME/);
  expect(reasons[1]).toMatch(/ERR_BLOCKED_BY_CLIENT/);
});

test("the page has exactly the size of the window, and follows it", async ({ desktop, page }) => {
  const size = () => page.evaluate("[innerWidth, innerHeight]");
  expect(await size()).toEqual([720, 420]);
  await desktop.app.evaluate(() => globalThis.fixture.window?.setBounds({ width: 500, height: 300 }));
  await expect.poll(size).toEqual([500, 300]);
  expect(await desktop.app.evaluate(() => globalThis.fixture.window?.getBounds())).toMatchObject({ width: 500 });
});

test("the app reads and photographs its page", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  await expect.poll(() => desktop.app.evaluate(() => globalThis.fixture.window?.getTitle())).toBe("Fixture");
  const facts = await desktop.app.evaluate(async () => {
    const { window } = globalThis.fixture;
    const contents = window?.webContents;
    return {
      heading: await contents?.executeJavaScript("document.querySelector('h1').textContent"),
      failure: await contents?.executeJavaScript("nowhere.to.be.found").catch(String),
      picture: (await contents?.capturePage())?.getSize(),
      url: contents?.getURL(),
      title: window?.getTitle(),
    };
  });
  expect(facts).toEqual({
    heading: "Fixture",
    failure: expect.stringContaining("ReferenceError"),
    picture: { width: 720, height: 420 },
    url: "app://ui/index.html",
    title: "Fixture",
  });
});

test("a crashed renderer is reported to window and app, and loads again", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  await desktop.app.evaluate(() => globalThis.fixture.window?.webContents.forcefullyCrashRenderer());
  await expect.poll(() => seen(desktop)).toContain("renderer crashed");
  expect(await desktop.app.evaluate(() => globalThis.fixture.window?.webContents.isCrashed())).toBe(true);
  await desktop.app.evaluate(() => globalThis.fixture.window?.webContents.reload());
  const sum = () =>
    desktop.app.evaluate(() =>
      globalThis.fixture.window?.webContents.executeJavaScript("globalThis.fixture?.add(1, 2)").catch(() => undefined),
    );
  await expect.poll(sum).toBe(3);
});

test("a message to a page that is not there is recorded as lost", async ({ desktop }) => {
  const lost = () => desktop.app.evaluate(() => desktopHost.recordings.of("webContents", "lost message"));
  await desktop.app.evaluate(({ BrowserWindow }) => {
    globalThis.fixture.isQuitting = true;
    new BrowserWindow({ show: false }).webContents.send("early", 1);
  });
  await expect.poll(lost).toEqual([["early"]]);
});

test("what a window manager would show is recorded", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const calls = await desktop.app.evaluate(() => {
    const { window } = globalThis.fixture;
    window?.setAlwaysOnTop(true, "floating");
    window?.setVisibleOnAllWorkspaces(true);
    window?.flashFrame(true);
    window?.setOverlayIcon(null, "nothing");
    window?.setMenuBarVisibility(false);
    window?.setBackgroundColor("#000000");
    window?.center();
    window?.webContents.openDevTools({ mode: "detach" });
    const of = (method: string) => desktopHost.recordings.of("BrowserWindow", method);
    return {
      top: of("setAlwaysOnTop"),
      flash: of("flashFrame"),
      overlay: of("setOverlayIcon"),
      center: of("center"),
      tools: desktopHost.recordings.of("webContents 1", "openDevTools"),
      is: [window?.isAlwaysOnTop(), window?.isMenuBarVisible(), window?.webContents.isDevToolsOpened()],
    };
  });
  expect(calls).toEqual({
    top: [[true, "floating"]],
    flash: [[true]],
    overlay: [[null, "nothing"]],
    center: [[]],
    tools: [[{ mode: "detach" }]],
    is: [true, false, true],
  });
});
