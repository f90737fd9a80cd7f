// A small app that uses the desktop as the real one does. Specs reach it through `globalThis.fixture`.
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import {
  app,
  BrowserWindow,
  ipcMain,
  Menu,
  nativeImage,
  protocol,
  session,
  Tray,
  type UtilityProcess,
  utilityProcess,
} from "electron";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAFklEQVR42mNk+M9Qz0AEYBxVSF+FAP+gDxG1mnQyAAAAAElFTkSuQmCC";
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const contentTypes: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

class FixtureApp {
  window: BrowserWindow | undefined;
  worker: UtilityProcess | undefined;
  tray: Tray | undefined;
  readonly seen: string[] = [];
  /** Lets closing hide and quitting wait, as the real app does. */
  refusesToQuit = false;
  isQuitting = false;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  #asked = 0;

  openWindow(): BrowserWindow {
    if (this.window && !this.window.isDestroyed()) {
      this.window.show();
      return this.window;
    }
    const window = new BrowserWindow({
      width: 720,
      height: 420,
      show: false,
      webPreferences: {
        preload: join(import.meta.dirname, "preload.cjs"),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
      },
    });
    this.window = window;
    window.once("ready-to-show", () => window.show());
    window.on("close", (event) => {
      if (this.isQuitting) return;
      event.preventDefault();
      window.hide();
    });
    window.webContents.on("will-navigate", (event) => {
      this.seen.push(`navigate ${event.url}`);
      event.preventDefault();
    });
    window.webContents.on("will-attach-webview", (event) => event.preventDefault());
    window.webContents.setWindowOpenHandler(({ url }) => {
      this.seen.push(`open ${url}`);
      return { action: "deny" };
    });
    void window.loadURL("app://ui/index.html");
    return window;
  }

  ask(text: string, bytes?: Uint8Array): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.worker?.postMessage({ id, text, bytes });
    });
  }

  start(): void {
    this.worker = utilityProcess.fork(join(import.meta.dirname, "worker.ts"), ["--fixture"], {
      env: { ...process.env, FIXTURE_COLOR: "blue" } as Record<string, string>,
      serviceName: "Fixture worker",
      stdio: "pipe",
    });
    this.worker.stdout?.on("data", (chunk: Buffer) => this.seen.push(`worker: ${String(chunk).trim()}`));
    this.worker.on("exit", (code) => this.seen.push(`worker exit ${code}`));
    this.worker.on("message", ({ id, value }: { id: number; value: unknown }) => {
      this.#waiting.get(id)?.(value);
      this.#waiting.delete(id);
    });
    this.tray = new Tray(nativeImage.createFromDataURL(PIXEL));
    this.tray.setToolTip("Fixture");
    this.tray.on("click", () => this.seen.push("tray click"));
    this.tray.setContextMenu(
      Menu.buildFromTemplate([
        { id: "open", label: "Open", click: () => void this.openWindow() },
        { label: "More", submenu: [{ label: "Nested", click: () => this.seen.push("nested") }] },
        { id: "quiet", label: "Quiet", type: "checkbox", click: (item) => this.seen.push(`quiet ${item.checked}`) },
        { id: "never", label: "Never", enabled: false, click: () => this.seen.push("never") },
        { type: "separator" },
        { id: "quit", label: "Quit", click: () => app.quit() },
      ]),
    );
  }
}

const fixtureApp = new FixtureApp();
declare global {
  var fixture: FixtureApp;
}

protocol.registerSchemesAsPrivileged([
  { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true } },
]);
if (!app.requestSingleInstanceLock({ from: "fixture" })) app.quit();
else {
  app.enableSandbox();
  app.on("second-instance", (_event, argv, _directory, data) => {
    fixtureApp.seen.push(`second ${argv.at(-1)} ${JSON.stringify(data)}`);
    fixtureApp.openWindow();
  });
  app.on("before-quit", (event) => {
    fixtureApp.seen.push("before-quit");
    if (fixtureApp.refusesToQuit) event.preventDefault();
    else fixtureApp.isQuitting = true;
  });
  app.on("window-all-closed", () => fixtureApp.seen.push("window-all-closed"));
  app.on("open-url", (event, url) => {
    event.preventDefault();
    fixtureApp.seen.push(`url ${url}`);
  });
  app.on("child-process-gone", (_event, { name, reason }) => fixtureApp.seen.push(`gone ${name} ${reason}`));
  app.on("render-process-gone", (_event, _contents, { reason }) => fixtureApp.seen.push(`renderer ${reason}`));

  ipcMain.handle("worker:ask", async (event, text: string, bytes: Uint8Array) => {
    if (event.senderFrame?.url.startsWith("app://ui/") !== true) throw new Error("not a sender to trust");
    const value = await fixtureApp.ask(text, bytes);
    event.sender.send("worker:event", { at: new Date(0), text });
    return value;
  });
  ipcMain.handle("fail", () => {
    throw new TypeError("boom");
  });
  ipcMain.handle("echo", (_event, value: unknown) => value);
  ipcMain.on("note", (event, text: string) => fixtureApp.seen.push(`note ${text} from ${event.senderFrame?.url}`));

  void app.whenReady().then(() => {
    protocol.handle("app", serve);
    session.defaultSession.setPermissionRequestHandler((_contents, permission, grant) =>
      grant(permission === "clipboard-sanitized-write"),
    );
    session.defaultSession.setPermissionCheckHandler(
      (_contents, permission) => permission === "clipboard-sanitized-write",
    );
    session.defaultSession.webRequest.onBeforeRequest(({ url }, decide) => {
      const cancel = !url.startsWith("app:");
      if (cancel) fixtureApp.seen.push(`cancelled ${url}`);
      decide({ cancel });
    });
    fixtureApp.start();
    globalThis.fixture = fixtureApp;
  });
}

async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  try {
    const body = await readFile(join(import.meta.dirname, "ui", pathname));
    const headers = {
      "content-type": contentTypes[extname(pathname)] ?? "application/octet-stream",
      "content-security-policy": CONTENT_SECURITY,
    };
    return new Response(body, { headers });
  } catch {
    return new Response("not found", { status: 404 });
  }
}
