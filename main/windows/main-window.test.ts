import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../daemon/runtime/index.ts";
import { translator } from "../../i18n/index.ts";
import { FakeContext } from "../../test/support/desktop-context.ts";
import type { Electron } from "../ports/electron.ts";
import { BoundsFile } from "./bounds-file.ts";
import { MainWindow } from "./main-window.ts";
import type { WindowContext } from "./page-window.ts";

class FakeWindow extends EventEmitter {
  static all: FakeWindow[] = [];
  readonly webContents = new EventEmitter();
  readonly calls: string[] = [];
  constructor() {
    super();
    FakeWindow.all.push(this);
  }
  async loadURL(): Promise<void> {}
  isDestroyed(): boolean {
    return false;
  }
  isMinimized(): boolean {
    return false;
  }
  show(): void {
    this.calls.push("show");
  }
  showInactive(): void {
    this.calls.push("showInactive");
  }
  maximize(): void {
    this.calls.push("maximize");
  }
  focus(): void {
    this.calls.push("focus");
  }
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ai-window-"));
  FakeWindow.all = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function open({ isBusyElsewhere = false, isMaximized = false } = {}) {
  const electron = {
    BrowserWindow: FakeWindow,
    app: { isPackaged: true },
    nativeTheme: Object.assign(new EventEmitter(), { shouldUseDarkColors: false }),
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1280, height: 800 } }] },
  };
  const bounds = new BoundsFile(join(folder, "window.json"), silentLogger);
  bounds.write({ bounds: { x: 10, y: 10, width: 800, height: 600 }, isMaximized });
  const context = {
    ...new FakeContext(),
    electron: electron as unknown as Electron,
    files: { preload: "", resources: "" },
    trust: () => ({ go: () => {} }),
  } as unknown as WindowContext;
  const main = new MainWindow({
    context,
    translator: () => translator("en"),
    bounds,
    onChange: () => {},
    isBusyElsewhere: () => isBusyElsewhere,
  });
  main.open();
  const window = FakeWindow.all[0] as FakeWindow;
  return { main, window };
}

describe("the main window", () => {
  it("shows itself once there is something to see, and comes to the front when it is wanted again", () => {
    const { main, window } = open();
    expect(window.calls).toEqual([]);
    window.emit("ready-to-show");
    main.open();
    expect([window.calls, FakeWindow.all.length]).toEqual([["show", "show", "focus"], 1]);
  });

  it("is as large as it was", () => {
    const { window } = open({ isMaximized: true });
    window.emit("ready-to-show");
    expect(window.calls).toEqual(["maximize", "show"]);
  });

  it.each([false, true])("takes no key from whoever answers already (maximized before: %s)", (isMaximized) => {
    const { window } = open({ isMaximized, isBusyElsewhere: true });
    window.emit("ready-to-show");
    expect(window.calls).toEqual(["showInactive"]);
    window.emit("focus");
    window.emit("focus");
    expect(window.calls).toEqual(isMaximized ? ["showInactive", "maximize"] : ["showInactive"]);
  });
});
