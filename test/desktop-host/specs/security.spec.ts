import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, seen, test } from "./fixture.ts";

const call = (name: "connect" | "evaluate", argument = "") => `tries.${name}(${JSON.stringify(argument)})`;

/** The page's own code has to try: what Playwright evaluates runs outside of the page's content policy. */
const inPage = (expression: string) => `new Promise((resolve) => setTimeout(async () => resolve(await ${expression})))`;

test("every window's preferences are recorded for the checklist", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const [options] = await desktop.app.evaluate(() => desktopHost.recordings.of("BrowserWindow", "constructor"));
  expect(options).toEqual([
    expect.objectContaining({
      show: false,
      webPreferences: expect.objectContaining({ sandbox: true, contextIsolation: true, nodeIntegration: false }),
    }),
  ]);
  const schemes = await desktop.app.evaluate(() =>
    desktopHost.recordings.of("protocol", "registerSchemesAsPrivileged"),
  );
  expect(schemes).toEqual([[[{ scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true } }]]]);
  expect(await desktop.app.evaluate(() => desktopHost.recordings.of("app", "enableSandbox"))).toHaveLength(1);
});

test("the content policy in the header of a scheme's handler is enforced", async ({ page }) => {
  expect(await page.evaluate(inPage(call("connect", "index.html")))).toBe("blocked");
  expect(await page.evaluate(inPage(call("evaluate")))).toBe("EvalError");
  const policy = page.waitForEvent("console", (message) => message.text().includes("Content Security Policy"));
  await page.evaluate("document.body.append(Object.assign(new Image(), { src: 'https://example.com/x.png' }))");
  await policy;
});

test("webRequest cancels, redirects and rewrites headers of real requests", async ({ desktop }) => {
  const server = createServer((_request, response) => {
    response.setHeader("access-control-allow-origin", "*").end("from the network");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const results = await desktop.app.evaluate(async ({ BrowserWindow, session }, url) => {
      globalThis.fixture.isQuitting = true;
      const { webRequest } = session.defaultSession;
      const window = new BrowserWindow({ show: false });
      const text = () => window.webContents.executeJavaScript("document.body.textContent");
      const cancelled = await window.loadURL(url).then(() => "loaded", String);
      webRequest.onBeforeRequest({ urls: ["http://127.0.0.1:*/moved"] }, (_details, decide) =>
        decide({ redirectURL: url }),
      );
      webRequest.onHeadersReceived((details, decide) =>
        decide({ responseHeaders: { ...details.responseHeaders, "content-security-policy": ["script-src 'none'"] } }),
      );
      await window.loadURL(`${url}moved`);
      const blocked = `new Promise((resolve) => {
        addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }));
      })`;
      const found = [cancelled, await text(), await window.webContents.executeJavaScript(blocked)];
      webRequest.onHeadersReceived(null);
      return found;
    }, address);
    expect(results).toEqual([expect.stringContaining("ERR_BLOCKED_BY_CLIENT"), "from the network", "script-src-elem"]);
    expect(await seen(desktop)).toContain(`cancelled ${address}`);
  } finally {
    server.close();
  }
});

test("a link of the page asks will-navigate, and the page stays when it is prevented", async ({ desktop, page }) => {
  await page.getByRole("link", { name: "Another page" }).click();
  await expect.poll(() => seen(desktop)).toContain("navigate app://ui/other.html");
  await expect(page.getByRole("heading", { name: "Fixture" })).toBeVisible();
  expect(await desktop.app.evaluate(() => globalThis.fixture.window?.webContents.getURL())).toBe("app://ui/index.html");
});

test("a window that a page opens asks the handler and is denied", async ({ desktop, page }) => {
  await page.getByRole("link", { name: "A window of its own" }).click();
  await expect.poll(() => seen(desktop)).toContain("open app://ui/other.html");
  await page.evaluate("void open('https://example.com/')");
  await expect.poll(() => seen(desktop)).toContain("open https://example.com/");
  await expect.poll(() => desktop.app.windows().length).toBe(1);
});

test("events that stock Chromium never has can be sent to the app's guards", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const isAllowed = await desktop.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    return contents && desktopHost.isAllowed(contents, "will-attach-webview", {}, { src: "https://example.com" });
  });
  expect(isAllowed).toBe(false);
});

test("permission handlers answer for pages", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const answers = await desktop.app.evaluate(async () => [
    await desktopHost.permissions.request("clipboard-sanitized-write"),
    await desktopHost.permissions.request("media"),
    desktopHost.permissions.check("clipboard-sanitized-write", "app://ui"),
    desktopHost.permissions.check("geolocation", "app://ui"),
  ]);
  expect(answers).toEqual([true, false, true, false]);
});

test("a handler can be called by a frame that it must not trust", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const refusal = desktop.app.evaluate(() => desktopHost.ipc.invokeFrom("https://example.com/", "worker:ask", ["x"]));
  await expect(refusal).rejects.toThrow("not a sender to trust");
  const answer = await desktop.app.evaluate(() =>
    desktopHost.ipc.invokeFrom("app://ui/index.html", "worker:ask", ["x"]),
  );
  expect(answer).toMatchObject({ text: "worker heard x" });
});

test("unknown files of a scheme are what its handler says they are", async ({ desktop, page }) => {
  await expect(page).toHaveTitle("Fixture");
  const status = await desktop.app.evaluate(async ({ BrowserWindow }) => {
    globalThis.fixture.isQuitting = true;
    const window = new BrowserWindow({ show: false });
    await window.loadURL("app://ui/nowhere.html");
    return window.webContents.executeJavaScript("document.body.textContent");
  });
  expect(status).toBe("not found");
});
