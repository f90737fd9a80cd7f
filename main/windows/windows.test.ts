import { EventEmitter } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserWindow, MenuItemConstructorOptions, WebContents } from "electron";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemTimers } from "../../client/timers.ts";
import { silentLogger } from "../../daemon/runtime/index.ts";
import { translator } from "../../i18n/index.ts";
import { desktopSettings } from "../../protocol/desktop/index.ts";
import { FakeContext } from "../../test/support/desktop-context.ts";
import type { Electron } from "../ports/electron.ts";
import { type AppMenuActions, appMenu } from "./app-menu.ts";
import { BoundsFile } from "./bounds-file.ts";
import { askBeforeClosing, closingPolicy } from "./closing.ts";
import { CrashGuard } from "./crash-guard.ts";
import { crashPage, showCrashWindow } from "./crash-window.ts";
import { placeNear, restored } from "./placement.ts";
import { WindowViews } from "./views.ts";

const t = translator("en");
const area = { x: 0, y: 24, width: 1280, height: 776 };

describe("where the small window opens", () => {
  const size = { width: 400, height: 300 };

  it.each([
    ["below an icon in a bar above", { x: 1200, y: 0, width: 24, height: 24 }, { x: 872, y: 32 }],
    ["above an icon in a bar below", { x: 640, y: 800, width: 24, height: 24 }, { x: 452, y: 492 }],
    ["in the upper middle without one", undefined, { x: 440, y: 183 }],
  ])("%s", (_, icon, place) => {
    expect(placeNear(icon, size, area)).toEqual({ ...place, ...size });
  });

  it("is on the display, wherever the icon is", () => {
    const at = fc.integer({ min: -5000, max: 5000 });
    fc.assert(
      fc.property(at, at, (x, y) => {
        const placed = placeNear({ x, y, width: 24, height: 24 }, size, area);
        expect(placed.x).toBeGreaterThanOrEqual(area.x);
        expect(placed.y).toBeGreaterThanOrEqual(area.y);
        expect(placed.x + placed.width).toBeLessThanOrEqual(area.x + area.width);
        expect(placed.y + placed.height).toBeLessThanOrEqual(area.y + area.height);
      }),
    );
  });
});

describe("where the large window comes back", () => {
  it.each([
    ["where it was", { x: 100, y: 100, width: 800, height: 600 }, { x: 100, y: 100, width: 800, height: 600 }],
    ["not on a display that is gone", { x: 3000, y: 100, width: 800, height: 600 }, undefined],
    ["not where it could not be got hold of", { x: 1250, y: 100, width: 800, height: 600 }, undefined],
    ["not with its upper edge above the display", { x: 100, y: -200, width: 800, height: 600 }, undefined],
    [
      "no larger than the display",
      { x: 0, y: 24, width: 3000, height: 2000 },
      { x: 0, y: 24, width: 1280, height: 776 },
    ],
  ])("%s", (_, bounds, place) => {
    expect(restored(bounds, [area])).toEqual(place);
  });

  it("is kept in a file, which may be of no use", () => {
    const folder = mkdtempSync(join(tmpdir(), "ai-bounds-"));
    const path = join(folder, "window.json");
    const file = new BoundsFile(path, silentLogger);
    expect(file.read()).toBeUndefined();
    const remembered = { bounds: { x: -5, y: 6, width: 700, height: 500 }, isMaximized: true };
    file.write(remembered);
    expect(file.read()).toEqual(remembered);
    for (const content of ["{", "{}", '{"bounds":{"x":0,"y":0,"width":-1,"height":5},"isMaximized":false}']) {
      writeFileSync(path, content);
      expect(file.read()).toBeUndefined();
    }
    rmSync(folder, { recursive: true });
    expect(() => file.write(remembered)).not.toThrow();
  });
});

describe("closing the main window", () => {
  const settings = desktopSettings.parse({});

  it.each([
    ["available", true, "hide"],
    ["available", false, "quit"],
    ["absent", true, "ask"],
    ["absent", false, "ask"],
  ] as const)("with the tray %s and closing to it %s: %s", (tray, closeToTray, policy) => {
    expect(closingPolicy({ tray, settings: { ...settings, closeToTray } })).toBe(policy);
  });

  it.each([
    [0, ["minimize"], 0],
    [1, [], 1],
    [2, [], 0],
  ])("asked and answered with button %i", async (response, calls, quits) => {
    const context = new FakeContext();
    const did: string[] = [];
    const electron = { dialog: { showMessageBox: async () => ({ response }) } } as unknown as Electron;
    const window = { minimize: () => did.push("minimize") } as unknown as BrowserWindow;
    await askBeforeClosing({ ...context, quit: context.quit, electron }, window, t);
    expect([did, context.quits]).toEqual([calls, quits]);
  });
});

describe("a page that crashes", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is tried again, but not for ever", () => {
    const guard = new CrashGuard(systemTimers);
    expect([1, 2, 3, 4].map(() => guard.mayTryAgain())).toEqual([true, true, true, false]);
    vi.advanceTimersByTime(60_000);
    expect(guard.mayTryAgain()).toBe(true);
  });
});

describe("the crash window", () => {
  const template = readFileSync(join(import.meta.dirname, "../../resources/crash.html"), "utf8");
  const report = { message: `<script>alert("1")</script>`, details: "at {{quitLink}} $& 'x'" };

  it("shows messages as they are, and runs nothing", () => {
    const page = crashPage(template, report, t);
    expect(page).not.toContain("<script");
    expect(page).toContain("&#60;script&#62;");
    expect(page).toContain("at {{quitLink}} $&#38; &#39;x&#39;");
    expect(page.replaceAll("{{quitLink}}", "")).not.toMatch(/\{\{\w+\}\}/);
    expect(page).toContain("default-src 'none'");
  });

  class FakeWindow extends EventEmitter {
    static last: FakeWindow;
    readonly webContents = new EventEmitter();
    readonly options: unknown;
    url = "";
    destroyed = false;
    constructor(options: unknown) {
      super();
      this.options = options;
      FakeWindow.last = this;
    }
    async loadURL(url: string): Promise<void> {
      this.url = url;
    }
    isDestroyed(): boolean {
      return this.destroyed;
    }
    destroy(): void {
      this.destroyed = true;
      this.emit("closed");
    }
  }

  function open() {
    const files = { preload: "", resources: join(import.meta.dirname, "../../resources") };
    const electron = { BrowserWindow: FakeWindow } as unknown as Electron;
    const choice = showCrashWindow({ ...new FakeContext(), files, electron }, report, t);
    return { choice, window: FakeWindow.last };
  }

  it.each(["relaunch", "quit"])("leads to %s, and is never left for the link", async (wanted) => {
    const { choice, window } = open();
    let prevented = 0;
    const go = (url: string): void => {
      window.webContents.emit("will-navigate", { url, preventDefault: () => (prevented += 1) });
    };
    go("https://elsewhere.example/");
    go(`https://crash.invalid/${wanted}`);
    expect([await choice, window.destroyed, prevented]).toEqual([wanted, true, 2]);
    expect(decodeURIComponent(window.url)).toContain("&#60;script&#62;");
  });

  it("quits when it is closed, and needs nothing of ordinary windows", async () => {
    const { choice, window } = open();
    window.destroy();
    expect(await choice).toBe("quit");
    expect(window.options).toMatchObject({
      webPreferences: { javascript: false, sandbox: true, nodeIntegration: false, partition: "crash" },
    });
  });
});

describe("the menu of windows", () => {
  const done: string[] = [];
  const actions: AppMenuActions = {
    open: ({ view }) => done.push(view),
    openAnswer: () => done.push("answer"),
    openLogs: () => done.push("logs"),
    copyDiagnostics: () => done.push("diagnostics"),
    openLink: (link) => done.push(link),
    quit: () => done.push("quit"),
  };
  const flat = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])]);

  it.each(["darwin", "linux", "win32"] as const)("on %s quits, edits text and leads everywhere", (platform) => {
    const items = flat(appMenu(platform, t, actions));
    done.length = 0;
    for (const { id, click } of items) if (id !== undefined) (click as (() => void) | undefined)?.();
    expect(done.sort()).toEqual(
      [
        "about",
        "answer",
        "connect",
        "diagnostics",
        "documentation",
        "inbox",
        "issues",
        "logs",
        "quit",
        "settings",
      ].sort(),
    );
    const roles = items.map(({ role }) => role);
    for (const role of ["undo", "redo", "cut", "copy", "paste", "selectAll", "close"]) expect(roles).toContain(role);
    const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("what windows show", () => {
  it("is what their pages say, as long as it can be seen", () => {
    const state = { isVisible: true, isFocused: true };
    const contents = {} as WebContents;
    const window = {
      webContents: contents,
      isDestroyed: () => false,
      isVisible: () => state.isVisible,
      isMinimized: () => false,
      isFocused: () => state.isFocused,
    } as unknown as BrowserWindow;
    const views = new WindowViews({ main: { window: undefined }, answer: { window } });
    views.showing(contents, "q");
    expect(views.current()).toEqual([{ kind: "answer", isVisible: true, isFocused: true, escalationId: "q" }]);
    expect([views.isSeen("q"), views.isSeen("other")]).toEqual([true, false]);
    state.isFocused = false;
    expect(views.isSeen("q")).toBe(false);
    views.showing(contents, null);
    expect(views.current()).toMatchObject([{ escalationId: undefined }]);
  });
});
