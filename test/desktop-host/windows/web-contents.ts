import { resolve as resolvePath } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { WebContents as ElectronWebContents, WebPreferences, WindowOpenHandlerResponse } from "electron";
import { app } from "../app/app.ts";
import type { EventOf } from "../chromium/protocol.ts";
import { type HostNativeImage, nativeImage } from "../desktop/native-image.ts";
import { isAllowed, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import { type HostSession, session } from "../session/session.ts";
import { type ColorScheme, colorScheme, followColorScheme } from "../system/color-scheme.ts";
import { toApp, toChromium } from "./addresses.ts";
import { WebFrameMain } from "./frames.ts";
import { PageMessages } from "./page-messages.ts";
import { type PageListener, PageTarget } from "./page-target.ts";
import { answerRequest } from "./requests.ts";

/** What the window around a page does when something happens in it. */
export interface WindowAround {
  close(): void;
  hostLoaded(): void;
  hostTitleChanged(title: string): void;
  hostClosed(): void;
}

export interface WebContentsOptions {
  readonly width: number;
  readonly height: number;
  readonly webPreferences: WebPreferences;
}

type WindowOpenHandler = (details: object) => WindowOpenHandlerResponse;

const all = new Map<number, WebContents>();
let count = 0;

/** Electron's `WebContents`: a page, and the app's conversation with it. */
class WebContents extends OfferedEmitter {
  readonly id: number = ++count;
  readonly session: HostSession = session.defaultSession;
  readonly mainFrame: WebFrameMain = new WebFrameMain(this.id, () => this.#url);
  readonly hostWebContents = null;
  readonly #window: WindowAround;
  readonly #page: PageTarget;
  readonly #messages: PageMessages;
  readonly #name: string = `webContents ${this.id}`;
  readonly #unfollow: () => void;
  #url = "";
  #title = "";
  #zoomFactor = 1;
  #isLoading = false;
  #isDestroyed = false;
  #isCrashed = false;
  #isDevToolsOpen = false;
  /** Documents the app itself asked for: its navigations pass the guards against the page's own. */
  #expectsNavigation = false;
  #settleLoad: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #windowOpenHandler: WindowOpenHandler | undefined;

  constructor(window: WindowAround, { width, height, webPreferences }: WebContentsOptions) {
    super();
    this.#window = window;
    const { preload, additionalArguments = [] } = webPreferences;
    this.#page = new PageTarget({ width, height, preload, additionalArguments }, this.#listener());
    this.#messages = new PageMessages(this, this.#page);
    this.#unfollow = followColorScheme((scheme) => this.#show(scheme));
    this.#page.ready.then(
      () => this.#show(colorScheme()),
      (error) => process.stderr.write(`${this.#name} was not made: ${String(error)}\n`),
    );
    all.set(this.id, this);
  }

  // Loading

  /** @throws when the address cannot be loaded */
  async loadURL(url: string): Promise<void> {
    const page = await this.#page.ready;
    this.#show(colorScheme());
    const loaded = new Promise<void>((resolve, reject) => {
      this.#settleLoad = { resolve, reject };
    });
    this.#expectsNavigation = true;
    this.#startLoading();
    // Not awaited alone: the load may be settled, by its end or by the window's, before the navigation is answered.
    const navigated = page.send("Page.navigate", { url: toChromium(url) }).then(({ errorText }) => {
      if (errorText) this.#failLoad(errorText, url);
    });
    await Promise.all([navigated, loaded]);
  }

  loadFile(path: string): Promise<void> {
    return this.loadURL(pathToFileURL(resolvePath(path)).href);
  }

  reload(): void {
    recordings.add(this.#name, "reload");
    this.#expectsNavigation = true;
    this.#command((page) => page.send("Page.reload"));
  }

  reloadIgnoringCache(): void {
    this.reload();
  }

  stop(): void {
    this.#command((page) => page.send("Page.stopLoading"));
  }

  isLoading(): boolean {
    return this.#isLoading;
  }

  getURL(): string {
    return this.#url;
  }

  getTitle(): string {
    return this.#title;
  }

  // Talking with the page

  send(channel: string, ...args: unknown[]): void {
    if (this.#isDestroyed) throw new TypeError("Object has been destroyed");
    void this.#page.deliver({ kind: "message", channel, args }).then(
      (isDelivered) => {
        if (!isDelivered) recordings.add(this.#name, "lost message", channel);
      },
      () => recordings.add(this.#name, "lost message", channel),
    );
  }

  /** @throws what the code threw in the page */
  executeJavaScript(code: string): Promise<unknown> {
    return this.#page.evaluate(code);
  }

  insertCSS(css: string): Promise<string> {
    return this.executeJavaScript(
      `document.head.append(Object.assign(document.createElement("style"), { textContent: ${JSON.stringify(css)} }))`,
    ).then(() => "inserted");
  }

  async capturePage(): Promise<HostNativeImage> {
    const page = await this.#page.ready;
    const { data } = await page.send("Page.captureScreenshot");
    return nativeImage.createFromBuffer(Buffer.from(data, "base64"));
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler;
  }

  // The rest of a page's life

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  isCrashed(): boolean {
    return this.#isCrashed;
  }

  forcefullyCrashRenderer(): void {
    this.#command((page) => page.send("Page.crash"));
  }

  close(options: { waitForBeforeUnload?: boolean } = {}): void {
    recordings.add(this.#name, "close", options);
    this.#window.close();
  }

  focus(): void {
    recordings.add(this.#name, "focus");
    this.#command((page) => page.send("Page.bringToFront"));
  }

  setZoomFactor(factor: number): void {
    recordings.add(this.#name, "setZoomFactor", factor);
    this.#zoomFactor = factor;
  }

  getZoomFactor(): number {
    return this.#zoomFactor;
  }

  setVisualZoomLevelLimits(minimum: number, maximum: number): Promise<void> {
    recordings.add(this.#name, "setVisualZoomLevelLimits", minimum, maximum);
    return Promise.resolve();
  }

  setBackgroundThrottling(allowed: boolean): void {
    recordings.add(this.#name, "setBackgroundThrottling", allowed);
  }

  setAudioMuted(muted: boolean): void {
    recordings.add(this.#name, "setAudioMuted", muted);
  }

  openDevTools(options?: object): void {
    recordings.add(this.#name, "openDevTools", options);
    this.#isDevToolsOpen = true;
  }

  closeDevTools(): void {
    recordings.add(this.#name, "closeDevTools");
    this.#isDevToolsOpen = false;
  }

  toggleDevTools(): void {
    if (this.#isDevToolsOpen) this.closeDevTools();
    else this.openDevTools();
  }

  isDevToolsOpened(): boolean {
    return this.#isDevToolsOpen;
  }

  // For the stand-in itself; not members of Electron's.

  hostTargetId(): string {
    return this.#page.targetId;
  }

  hostResize(width: number, height: number): void {
    this.#command(() => this.#page.resize(width, height));
  }

  /** Answers an `ipcRenderer.invoke` that came from `frame`. */
  hostInvoke(frame: object, channel: string, args: readonly unknown[]): Promise<unknown> {
    return this.#messages.invoke(frame, channel, args);
  }

  hostDestroy(): void {
    if (this.#isDestroyed) return;
    this.#gone();
    void this.#page.close();
  }

  #listener(): PageListener {
    return {
      messageReceived: (message) => void this.#messages.receive(message),
      requestPaused: (paused) => void this.#answer(paused),
      navigated: (url) => this.#navigated(url),
      domReady: () => this.emit("dom-ready", {}),
      loaded: () => this.#loaded(),
      titleChanged: (title) => this.#titleChanged(title),
      consoleWritten: (level, message) => {
        this.emit("console-message", { level, message, lineNumber: 0, sourceId: this.#url, frame: this.mainFrame });
      },
      windowOpened: (event) => this.#windowOpened(event),
      crashed: () => this.#crashed(),
      gone: () => this.#gone(),
    };
  }

  async #answer(paused: EventOf<"Fetch.requestPaused">): Promise<void> {
    const { webRequest } = this.session;
    const { mainFrame } = this.#page;
    const mayNavigate = (url: string, frame: string) => this.#mayNavigate(url, frame === mainFrame);
    await answerRequest(await this.#page.ready, paused, { webRequest, webContentsId: this.id, mainFrame, mayNavigate });
  }

  #mayNavigate(url: string, isMainFrame: boolean): boolean {
    const isExpected = isMainFrame && (this.#expectsNavigation || url === this.#url);
    if (isMainFrame) this.#expectsNavigation = false;
    if (isExpected) return true;
    const facts = { url, isSameDocument: false, isMainFrame, frame: isMainFrame ? this.mainFrame : null };
    if (!isAllowed(this, "will-frame-navigate", facts)) return false;
    return !isMainFrame || isAllowed(this, "will-navigate", facts, url);
  }

  #navigated(url: string): void {
    this.#url = url === "about:blank" && this.#url === "" ? "" : url;
    this.#isCrashed = false;
    if (url !== "about:blank") this.emit("did-navigate", {}, url);
  }

  #startLoading(): void {
    this.#isLoading = true;
    this.emit("did-start-loading");
  }

  #loaded(): void {
    if (this.#url === "" || this.#url.startsWith("chrome-error:")) return;
    this.#isLoading = false;
    // Playwright sets a colour scheme of its own when it attaches; the app's wins.
    this.#show(colorScheme());
    this.emit("did-finish-load", {});
    this.emit("did-stop-loading", {});
    this.#settleLoad?.resolve();
    this.#settleLoad = undefined;
    this.#window.hostLoaded();
  }

  #failLoad(reason: string, url: string): void {
    this.#isLoading = false;
    this.emit("did-fail-load", {}, -2, reason, url, true);
    const error = Object.assign(new Error(`${reason} (-2) loading '${url}'`), { code: reason, url });
    this.#settleLoad?.reject(error);
    this.#settleLoad = undefined;
  }

  #titleChanged(title: string): void {
    if (title === this.#title) return;
    this.#title = title;
    if (isAllowed(this, "page-title-updated", {}, title, true)) this.#window.hostTitleChanged(title);
  }

  #windowOpened({ url, windowName, windowFeatures }: EventOf<"Page.windowOpen">): void {
    const details = {
      url: toApp(url),
      frameName: windowName,
      features: windowFeatures.join(","),
      disposition: "new-window",
    };
    const { action } = this.#windowOpenHandler?.(details) ?? { action: "allow" };
    recordings.add(this.#name, "window open", details.url, action);
    if (action === "deny") return;
    process.stderr.write(`The stand-in for Electron does not offer windows opened by pages: ${details.url}\n`);
  }

  #crashed(): void {
    this.#isCrashed = true;
    const details = { reason: "crashed", exitCode: 5 };
    this.emit("render-process-gone", {}, details);
    app.emit("render-process-gone", {}, this, details);
  }

  #gone(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#unfollow();
    all.delete(this.id);
    this.#settleLoad?.reject(new Error(`ERR_FAILED (-2) loading '${this.#url}'`));
    this.emit("destroyed");
    this.#window.hostClosed();
  }

  #show(scheme: ColorScheme): void {
    const features = [{ name: "prefers-color-scheme", value: scheme }];
    this.#command((page) => page.send("Emulation.setEmulatedMedia", { features }));
  }

  /** Tells the page to do something whose outcome nobody waits for. */
  #command(command: (page: Awaited<PageTarget["ready"]>) => Promise<unknown>): void {
    void this.#page.ready.then(command).catch(() => undefined);
  }
}

export type HostWebContents = WebContents;
export const makeWebContents = (window: WindowAround, options: WebContentsOptions): HostWebContents =>
  new WebContents(window, options);

/** Electron's `webContents`. */
export const webContents = {
  getAllWebContents: (): HostWebContents[] => [...all.values()],
  fromId: (id: number): HostWebContents | undefined => all.get(id),
  fromDevToolsTargetId: (id: string): HostWebContents | undefined =>
    [...all.values()].find((each) => each.hostTargetId() === id),
  getFocusedWebContents: (): HostWebContents | null => [...all.values()].at(-1) ?? null,
};

/** Names of members of ours that Electron's lacks: none but those for the stand-in itself. */
export type InventedByWebContents = Exclude<keyof WebContents, keyof ElectronWebContents | `host${string}`>;
