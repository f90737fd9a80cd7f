import type { BrowserWindow, WebContents } from "electron";
import type { Translator } from "../../i18n/index.ts";
import type { Destination } from "../../protocol/desktop/index.ts";
import { PAGES } from "../shell.ts";
import type { BoundsFile } from "./bounds-file.ts";
import { askBeforeClosing, closingPolicy } from "./closing.ts";
import { CrashGuard } from "./crash-guard.ts";
import { openPage, type PageWindow, type WindowContext } from "./page-window.ts";
import { restored } from "./placement.ts";

const SIZE = { width: 1080, height: 720 } as const;
const SMALLEST = { width: 640, height: 440 } as const;

export interface MainWindowOptions {
  readonly context: WindowContext;
  readonly translator: () => Translator;
  readonly bounds: BoundsFile;
  /** It has become another one, shown or hidden. */
  readonly onChange: () => void;
  /** Whether the human works in another window of ours, whose keys are not taken from it. */
  readonly isBusyElsewhere: () => boolean;
}

/** The large window, made when it is first wanted. Closing it hides it, as long as there is another way back to it. */
export class MainWindow {
  readonly #options: MainWindowOptions;
  readonly #guard: CrashGuard;
  #current: PageWindow | undefined;

  constructor(options: MainWindowOptions) {
    this.#options = options;
    this.#guard = new CrashGuard(options.context.timers);
  }

  get window(): BrowserWindow | undefined {
    return this.#current?.window;
  }

  open(destination?: Destination): void {
    const isNew = this.#current === undefined;
    this.#current ??= this.#make();
    const { window, page } = this.#current;
    if (destination) page.go(destination);
    // A new one shows itself when there is something to see.
    if (isNew) return;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  hide(): void {
    this.#current?.window.hide();
  }

  /** Keeps where it is for the next start: an app that ends does not close its windows one by one. */
  remember(): void {
    if (this.#current) this.#remember(this.#current.window);
  }

  has(contents: WebContents): boolean {
    return this.#current?.window.webContents === contents;
  }

  #make(): PageWindow {
    const { context, translator, bounds, onChange, isBusyElsewhere } = this.#options;
    const before = bounds.read();
    const areas = context.electron.screen.getAllDisplays().map(({ workArea }) => workArea);
    const made = openPage(context, PAGES.main, {
      title: translator()("app.name"),
      ...(before ? (restored(before.bounds, areas) ?? SIZE) : SIZE),
      minWidth: SMALLEST.width,
      minHeight: SMALLEST.height,
      autoHideMenuBar: true,
    });
    const { window } = made;
    window.once("ready-to-show", () => {
      // It takes a moment to get here. Whoever has begun to write an answer meanwhile goes on writing it.
      if (isBusyElsewhere()) {
        if (before?.isMaximized) window.once("focus", () => window.maximize());
        window.showInactive();
        return;
      }
      if (before?.isMaximized) window.maximize();
      window.show();
    });
    window.on("close", (event) => this.#closing(window, event));
    window.on("hide", () => this.#remember(window));
    for (const change of ["show", "hide", "focus", "blur"] as const) window.on(change as "show", onChange);
    window.on("closed", () => {
      if (this.#current === made) this.#current = undefined;
      onChange();
    });
    window.webContents.on("render-process-gone", (_event, { reason }) => this.#gone(made, reason));
    return made;
  }

  #closing(window: BrowserWindow, event: { preventDefault(): void }): void {
    const { context, translator } = this.#options;
    this.#remember(window);
    if (context.isQuitting()) return;
    event.preventDefault();
    switch (closingPolicy(context.desktop())) {
      case "hide":
        window.hide();
        return;
      case "quit":
        void context.quit();
        return;
      case "ask":
        void askBeforeClosing(context, window, translator());
    }
  }

  #remember(window: BrowserWindow): void {
    if (window.isDestroyed()) return;
    this.#options.bounds.write({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() });
  }

  #gone({ window }: PageWindow, reason: string): void {
    const { context } = this.#options;
    if (context.isQuitting() || window.isDestroyed()) return;
    context.logger.error("the page of the main window has ended", { reason });
    if (this.#guard.mayTryAgain()) window.reload();
    else window.destroy();
  }
}
