import type { BrowserWindow, WebContents } from "electron";
import type { WindowView } from "../notify/policy.ts";

interface Windows {
  readonly main: { readonly window: BrowserWindow | undefined };
  readonly answer: { readonly window: BrowserWindow | undefined };
}

/** What windows show at the moment, from what their pages say and what the windows themselves are. */
export class WindowViews {
  readonly #windows: Windows;
  readonly #shown = new WeakMap<WebContents, string>();

  constructor(windows: Windows) {
    this.#windows = windows;
  }

  /** The page shows this question now, or none. */
  showing(contents: WebContents, escalationId: string | null): void {
    if (escalationId === null) this.#shown.delete(contents);
    else this.#shown.set(contents, escalationId);
  }

  current(): WindowView[] {
    return (["main", "answer"] as const).flatMap((kind) => {
      const { window } = this.#windows[kind];
      if (!window || window.isDestroyed()) return [];
      return [
        {
          kind,
          isVisible: window.isVisible() && !window.isMinimized(),
          isFocused: window.isFocused(),
          escalationId: this.#shown.get(window.webContents),
        },
      ];
    });
  }

  /** True when the human has it before the eyes. */
  isSeen(escalationId: string): boolean {
    return this.current().some((view) => view.escalationId === escalationId && view.isVisible && view.isFocused);
  }
}
