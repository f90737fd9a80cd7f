import type { BrowserWindow, Rectangle, WebContents } from "electron";
import { PAGES } from "../shell.ts";
import { CrashGuard } from "./crash-guard.ts";
import { openPage, type PageWindow, type WindowContext } from "./page-window.ts";
import { placeNear } from "./placement.ts";

/** A question of some lines with two answers, a note and all that is known of who asks fits in. */
const SIZE = { width: 480, height: 580 } as const;
const SMALLEST = { width: 360, height: 280 } as const;

export interface AnswerWindowOptions {
  readonly context: WindowContext;
  readonly title: () => string;
  /** Where the icon in the bar is, if that is known. */
  readonly iconBounds: () => Rectangle | undefined;
}

/**
 * The small window for one question after the other. It is made at the start and only hidden, so that it opens at once; it lies
 * above all others while it is open. It does not hide when another window is worked in: one looks something up, to answer.
 */
export class AnswerWindow {
  readonly #options: AnswerWindowOptions;
  readonly #guard: CrashGuard;
  #current: PageWindow | undefined;

  constructor(options: AnswerWindowOptions) {
    this.#options = options;
    this.#guard = new CrashGuard(options.context.timers);
    this.#current = this.#make();
  }

  get window(): BrowserWindow | undefined {
    return this.#current?.window;
  }

  /** Shows it, with this question first; otherwise the page chooses. */
  open(escalationId?: string): void {
    const { context, iconBounds } = this.#options;
    this.#current ??= this.#make();
    const { window, page } = this.#current;
    if (escalationId !== undefined) page.go({ view: "inbox", id: escalationId });
    if (!window.isVisible()) {
      // What it happened to show while nobody saw it is not what comes first now.
      if (escalationId === undefined) page.go({ view: "inbox" });
      const { screen } = context.electron;
      const icon = iconBounds();
      const point = icon ?? screen.getCursorScreenPoint();
      const { width, height } = window.getBounds();
      window.setBounds(placeNear(icon, { width, height }, screen.getDisplayNearestPoint(point).workArea));
      window.setAlwaysOnTop(true, "floating");
    }
    window.show();
    window.focus();
  }

  toggle(): void {
    if (this.#current?.window.isFocused()) this.hide();
    else this.open();
  }

  hide(): void {
    this.#current?.window.hide();
  }

  has(contents: WebContents): boolean {
    return this.#current?.window.webContents === contents;
  }

  #make(): PageWindow {
    const { context, title } = this.#options;
    const { platform } = context.desktop();
    const made = openPage(context, PAGES.answer, {
      title: title(),
      ...SIZE,
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      // Bars of Linux with tiles know what to do with a dialog; a panel of macOS lets the other app stay in front.
      ...(platform === "linux" ? { type: "dialog" } : {}),
      ...(platform === "darwin" ? { type: "panel" } : {}),
      frame: false,
      skipTaskbar: true,
      minimizable: false,
      maximizable: false,
      fullscreenable: false,
    });
    const { window } = made;
    if (platform === "darwin") window.setVisibleOnAllWorkspaces(true, { visibleOnFullScreen: true });
    window.on("close", (event) => {
      if (context.isQuitting()) return;
      event.preventDefault();
      window.hide();
    });
    window.on("hide", () => {
      if (!window.isDestroyed()) window.setAlwaysOnTop(false);
    });
    window.on("closed", () => {
      if (this.#current === made) this.#current = undefined;
    });
    window.webContents.on("render-process-gone", (_event, { reason }) => this.#gone(made, reason));
    return made;
  }

  /** The page is lost. Another takes its place, hidden or shown as it was. */
  #gone(lost: PageWindow, reason: string): void {
    const { context } = this.#options;
    if (context.isQuitting() || this.#current !== lost) return;
    context.logger.error("the page of the answer window has ended", { reason });
    const wasVisible = lost.window.isVisible();
    this.#current = undefined;
    lost.window.destroy();
    if (!this.#guard.mayTryAgain()) return;
    this.#current = this.#make();
    if (wasVisible) this.open();
  }
}
