import type { NotificationConstructorOptions } from "electron";
import type { Timers } from "../../client/index.ts";
import type { DesktopState } from "../../protocol/desktop/index.ts";
import type { Electron } from "../ports/electron.ts";

/** What a notification says and offers. Texts of agents in it are harmless already. */
export interface NoticeContent {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly isSilent: boolean;
  readonly urgency: "low" | "normal" | "critical";
  /** Labels of buttons. */
  readonly actions: readonly string[];
  /** Hint in a field for an answer; without it there is none. */
  readonly reply?: string | undefined;
}

/** What becomes of a notification. `denied`: the system does not let us show any. */
export interface NoticeEvents {
  readonly onShown: () => void;
  readonly onFailed: (why: "denied" | "failed", error: string) => void;
  readonly onClick: () => void;
  readonly onAction: (index: number) => void;
  readonly onReply: (text: string) => void;
  /** The human has waved it away. */
  readonly onDismissed: () => void;
}

export interface ShownNotification {
  /** Takes it away, from the list of past ones as well. Nothing is heard of it any more. */
  close(): void;
}

/** The notifications of the operating system. */
export interface Notifier {
  /** Buttons and fields for answers exist on some systems only. */
  readonly canAct: boolean;
  show(content: NoticeContent, events: NoticeEvents): ShownNotification;
}

/** A system that says nothing for so long has not shown it. */
const PATIENCE_MS = 10_000;

// Windows says so by a number (WPN_E_NOTIFICATION_DISABLED) and macOS in words of its own.
const DENIED = /0x803e0111|-2143420143|not allowed|notifications? (are|is) disabled|UNErrorDomain/i;

export class NativeNotifier implements Notifier {
  readonly canAct: boolean;
  readonly #notifications: Electron["Notification"];
  readonly #platform: DesktopState["platform"];
  readonly #timers: Timers;

  constructor(notifications: Electron["Notification"], platform: DesktopState["platform"], timers: Timers) {
    this.#notifications = notifications;
    this.#platform = platform;
    this.#timers = timers;
    this.canAct = platform !== "linux";
  }

  show(content: NoticeContent, events: NoticeEvents): ShownNotification {
    if (!this.#notifications.isSupported()) {
      events.onFailed("failed", "there is nothing that shows notifications");
      return { close: () => {} };
    }
    const notification = new this.#notifications(this.#optionsOf(content));
    let isOver = false;
    const patience = this.#timers.setTimeout(() => fail("failed", "nothing was heard of it"), PATIENCE_MS);
    const fail = (why: "denied" | "failed", error: string): void => {
      this.#timers.clearTimeout(patience);
      if (!isOver) events.onFailed(why, error);
      isOver = true;
    };
    const unlessOver = (run: () => void): void => {
      if (!isOver) run();
    };
    notification.on("show", () => {
      this.#timers.clearTimeout(patience);
      unlessOver(events.onShown);
    });
    notification.on("failed", (_event, error) => fail(DENIED.test(error) ? "denied" : "failed", error));
    notification.on("click", () => unlessOver(events.onClick));
    notification.on("action", ({ actionIndex }) => unlessOver(() => events.onAction(actionIndex)));
    notification.on("reply", ({ reply }) => unlessOver(() => events.onReply(reply)));
    notification.on("close", ({ reason }) => {
      // Linux tells of one that has timed out in the same way, so there it says nothing about the human.
      const isHuman = reason === "userCanceled" || (reason === undefined && this.#platform === "darwin");
      if (isHuman) unlessOver(events.onDismissed);
    });
    notification.show();
    return {
      close: () => {
        this.#timers.clearTimeout(patience);
        isOver = true;
        notification.close();
      },
    };
  }

  #optionsOf({ id, title, body, isSilent, urgency, actions, reply }: NoticeContent): NotificationConstructorOptions {
    return {
      id,
      title,
      // Bodies may hold markup on Linux, with links and pictures.
      body: this.#platform === "linux" ? body.replaceAll("<", "‹") : body,
      silent: isSilent,
      ...(this.#platform === "linux" ? { urgency } : {}),
      ...(this.canAct && actions.length > 0 ? { actions: actions.map((text) => ({ type: "button", text })) } : {}),
      ...(this.canAct && reply !== undefined ? { hasReply: true, replyPlaceholder: reply } : {}),
    };
  }
}
