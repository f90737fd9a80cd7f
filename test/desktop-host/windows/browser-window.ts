import type { BrowserWindowConstructorOptions, BrowserWindow as ElectronBrowserWindow, Rectangle } from "electron";
import { app } from "../app/app.ts";
import { running } from "../app/running.ts";
import { isAllowed, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import { type HostWebContents, makeWebContents, type WindowAround } from "./web-contents.ts";

const WIDTH = 800;
const HEIGHT = 600;

const open = new Set<BrowserWindow>();
let count = 0;
let focused: BrowserWindow | null = null;

/**
 * Electron's `BrowserWindow`. The page in it is real; that it is visible, focused or minimised is a state kept here, and
 * what a window manager would show is recorded.
 */
export class BrowserWindow extends OfferedEmitter implements WindowAround {
  readonly id: number = ++count;
  readonly webContents: HostWebContents;
  readonly #name: string = `BrowserWindow ${this.id}`;
  #bounds: Rectangle;
  #title: string;
  #backgroundColor: string;
  #isVisible: boolean;
  #isMinimized = false;
  #isMaximized = false;
  #isFullScreen = false;
  #isAlwaysOnTop: boolean;
  #isVisibleOnAllWorkspaces = false;
  #isMenuBarVisible = true;
  #isDestroyed = false;
  #hasLoaded = false;

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super();
    if (!app.isReady()) throw new Error("Cannot create BrowserWindow before app is ready");
    recordings.add(this.#name, "constructor", options);
    const { x = 0, y = 0, width = WIDTH, height = HEIGHT } = options;
    this.#bounds = { x, y, width, height };
    this.#title = options.title ?? app.getName();
    this.#backgroundColor = options.backgroundColor ?? "#FFFFFF";
    this.#isVisible = options.show !== false;
    this.#isAlwaysOnTop = options.alwaysOnTop ?? false;
    this.webContents = makeWebContents(this, { width, height, webPreferences: options.webPreferences ?? {} });
    open.add(this);
    running.windows.add(this);
    app.emit("browser-window-created", {}, this);
    app.emit("web-contents-created", {}, this.webContents);
    if (this.#isVisible) this.#takeFocus();
  }

  static getAllWindows(): BrowserWindow[] {
    return [...open];
  }

  static getFocusedWindow(): BrowserWindow | null {
    return focused;
  }

  static fromId(id: number): BrowserWindow | null {
    return [...open].find((each) => each.id === id) ?? null;
  }

  static fromWebContents(contents: HostWebContents): BrowserWindow | null {
    return [...open].find((each) => each.webContents === contents) ?? null;
  }

  // The page

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url);
  }

  loadFile(path: string): Promise<void> {
    return this.webContents.loadFile(path);
  }

  reload(): void {
    this.webContents.reload();
  }

  // Visible and focused

  show(): void {
    recordings.add(this.#name, "show");
    this.#becomeVisible();
    this.#takeFocus();
  }

  showInactive(): void {
    recordings.add(this.#name, "showInactive");
    this.#becomeVisible();
  }

  hide(): void {
    recordings.add(this.#name, "hide");
    if (!this.#isVisible) return;
    this.#isVisible = false;
    this.#loseFocus();
    this.emit("hide");
  }

  isVisible(): boolean {
    return this.#isVisible;
  }

  focus(): void {
    recordings.add(this.#name, "focus");
    if (this.#isVisible) this.#takeFocus();
  }

  blur(): void {
    recordings.add(this.#name, "blur");
    this.#loseFocus();
  }

  isFocused(): boolean {
    return focused === this;
  }

  minimize(): void {
    recordings.add(this.#name, "minimize");
    this.#isMinimized = true;
    this.#loseFocus();
    this.emit("minimize");
  }

  restore(): void {
    recordings.add(this.#name, "restore");
    if (!this.#isMinimized) return;
    this.#isMinimized = false;
    this.emit("restore");
    this.#takeFocus();
  }

  isMinimized(): boolean {
    return this.#isMinimized;
  }

  maximize(): void {
    recordings.add(this.#name, "maximize");
    this.#isMaximized = true;
    this.emit("maximize");
  }

  unmaximize(): void {
    recordings.add(this.#name, "unmaximize");
    this.#isMaximized = false;
    this.emit("unmaximize");
  }

  isMaximized(): boolean {
    return this.#isMaximized;
  }

  setFullScreen(flag: boolean): void {
    recordings.add(this.#name, "setFullScreen", flag);
    this.#isFullScreen = flag;
    this.emit(flag ? "enter-full-screen" : "leave-full-screen");
  }

  isFullScreen(): boolean {
    return this.#isFullScreen;
  }

  // Place and looks

  getBounds(): Rectangle {
    return { ...this.#bounds };
  }

  getNormalBounds(): Rectangle {
    return this.getBounds();
  }

  setBounds(bounds: Partial<Rectangle>): void {
    recordings.add(this.#name, "setBounds", bounds);
    const before = this.#bounds;
    this.#bounds = { ...before, ...bounds };
    const { x, y, width, height } = this.#bounds;
    if (width !== before.width || height !== before.height) {
      this.webContents.hostResize(width, height);
      this.emit("resize");
      this.emit("resized");
    }
    if (x !== before.x || y !== before.y) {
      this.emit("move");
      this.emit("moved");
    }
  }

  getContentBounds(): Rectangle {
    return this.getBounds();
  }

  getSize(): number[] {
    return [this.#bounds.width, this.#bounds.height];
  }

  setSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  setContentSize(width: number, height: number): void {
    this.setBounds({ width, height });
  }

  getPosition(): number[] {
    return [this.#bounds.x, this.#bounds.y];
  }

  setPosition(x: number, y: number): void {
    this.setBounds({ x, y });
  }

  setMinimumSize(width: number, height: number): void {
    recordings.add(this.#name, "setMinimumSize", width, height);
  }

  setResizable(resizable: boolean): void {
    recordings.add(this.#name, "setResizable", resizable);
  }

  center(): void {
    recordings.add(this.#name, "center");
  }

  moveTop(): void {
    recordings.add(this.#name, "moveTop");
  }

  setTitle(title: string): void {
    recordings.add(this.#name, "setTitle", title);
    this.#title = title;
  }

  getTitle(): string {
    return this.#title;
  }

  setBackgroundColor(color: string): void {
    recordings.add(this.#name, "setBackgroundColor", color);
    this.#backgroundColor = color;
  }

  getBackgroundColor(): string {
    return this.#backgroundColor;
  }

  setAlwaysOnTop(flag: boolean, level?: string): void {
    recordings.add(this.#name, "setAlwaysOnTop", flag, level);
    this.#isAlwaysOnTop = flag;
  }

  isAlwaysOnTop(): boolean {
    return this.#isAlwaysOnTop;
  }

  setVisibleOnAllWorkspaces(visible: boolean, options?: object): void {
    recordings.add(this.#name, "setVisibleOnAllWorkspaces", visible, options);
    this.#isVisibleOnAllWorkspaces = visible;
  }

  isVisibleOnAllWorkspaces(): boolean {
    return this.#isVisibleOnAllWorkspaces;
  }

  setMenuBarVisibility(visible: boolean): void {
    recordings.add(this.#name, "setMenuBarVisibility", visible);
    this.#isMenuBarVisible = visible;
  }

  isMenuBarVisible(): boolean {
    return this.#isMenuBarVisible;
  }

  setMenu(menu: object | null): void {
    recordings.add(this.#name, "setMenu", menu);
  }

  removeMenu(): void {
    recordings.add(this.#name, "removeMenu");
  }

  setIcon(icon: unknown): void {
    recordings.add(this.#name, "setIcon", icon);
  }

  setSkipTaskbar(skip: boolean): void {
    recordings.add(this.#name, "setSkipTaskbar", skip);
  }

  setProgressBar(progress: number, options?: object): void {
    recordings.add(this.#name, "setProgressBar", progress, options);
  }

  setOverlayIcon(overlay: object | null, description: string): void {
    recordings.add(this.#name, "setOverlayIcon", overlay, description);
  }

  flashFrame(flag: boolean): void {
    recordings.add(this.#name, "flashFrame", flag);
  }

  // End

  close(): void {
    if (this.#isDestroyed || !isAllowed(this, "close")) return;
    this.destroy();
  }

  destroy(): void {
    this.webContents.hostDestroy();
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  // Called by the page; not members of Electron's.

  hostLoaded(): void {
    if (this.#hasLoaded) return;
    this.#hasLoaded = true;
    this.emit("ready-to-show");
  }

  hostTitleChanged(title: string): void {
    if (isAllowed(this, "page-title-updated", {}, title, true)) this.#title = title;
  }

  hostClosed(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    open.delete(this);
    running.windows.delete(this);
    if (focused === this) focused = null;
    this.emit("closed");
    if (open.size > 0 || app.hostIsQuitting()) return;
    if (app.listenerCount("window-all-closed") > 0) app.emit("window-all-closed");
    else app.quit();
  }

  #becomeVisible(): void {
    const wasVisible = this.#isVisible;
    this.#isVisible = true;
    this.#isMinimized = false;
    if (!wasVisible) this.emit("show");
  }

  #takeFocus(): void {
    if (focused === this) return;
    if (focused) focused.#loseFocus();
    focused = this;
    this.webContents.focus();
    this.emit("focus");
    app.emit("browser-window-focus", {}, this);
  }

  #loseFocus(): void {
    if (focused !== this) return;
    focused = null;
    this.emit("blur");
    app.emit("browser-window-blur", {}, this);
  }
}

/** Names of members of ours that Electron's lacks: none but those called by the page. */
export type InventedByWindow = Exclude<keyof BrowserWindow, keyof ElectronBrowserWindow | `host${string}`>;
