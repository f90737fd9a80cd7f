import type { WebContents } from "electron";
import type { WindowView } from "../notify/policy.ts";
import type { AnswerWindow } from "./answer-window.ts";
import type { MainWindow } from "./main-window.ts";

/** What windows show at the moment, from what their pages say and what the windows themselves are. */
export class WindowViews {
  readonly #windows: { readonly main: MainWindow; readonly answer: AnswerWindow };
  readonly #shown = new WeakMap<WebContents, string>();

  constructor(windows: { readonly main: MainWindow; readonly answer: AnswerWindow }) {
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
