import type { NotificationConstructorOptions } from "electron";
import { OfferedEmitter } from "../lib/offered.ts";
import { plain, recordings } from "../lib/recordings.ts";

/** A notification as data. */
export interface NotificationState {
  readonly title: string;
  readonly body: string;
  readonly options: unknown;
  readonly isShown: boolean;
}

/** Every notification that was ever shown, oldest first. */
const shown: Notification[] = [];
let isSupported = true;
let failure: string | undefined;

/** Electron's `Notification`. What the person does with it comes from specs. */
export class Notification extends OfferedEmitter {
  readonly #options: NotificationConstructorOptions;
  #isShown = false;

  constructor(options: NotificationConstructorOptions = {}) {
    super();
    this.#options = options;
  }

  static isSupported(): boolean {
    return isSupported;
  }

  get title(): string {
    return this.#options.title ?? "";
  }

  get body(): string {
    return this.#options.body ?? "";
  }

  show(): void {
    recordings.add("Notification", "show", this.#options);
    if (failure !== undefined) {
      this.emit("failed", {}, failure);
      return;
    }
    this.#isShown = true;
    if (!shown.includes(this)) shown.push(this);
    this.emit("show", {});
  }

  close(): void {
    recordings.add("Notification", "close", this.title);
    if (!this.#isShown) return;
    this.#isShown = false;
    this.emit("close", { reason: "applicationHidden" });
  }

  hostState(): NotificationState {
    return { title: this.title, body: this.body, options: plain(this.#options), isShown: this.#isShown };
  }

  hostLeave(): void {
    this.#isShown = false;
  }
}

/** The hand of the person at the notifications, for specs. `index` as in `all`, negative from the end; default: the newest. */
export const notificationHand = {
  all: (): NotificationState[] => shown.map((each) => each.hostState()),
  click: (index = -1): void => void at(index).emit("click", {}),
  reply(text: string, index = -1): void {
    at(index).emit("reply", { reply: text }, text);
  },
  action(actionIndex: number, index = -1): void {
    at(index).emit("action", { actionIndex, selectionIndex: -1 }, actionIndex, -1);
  },
  dismiss(index = -1): void {
    at(index).hostLeave();
    at(index).emit("close", { reason: "userCanceled" });
  },
  /** Lets every later `show` fail with this message, as an unsigned app's does; undefined ends it. */
  failWith(message: string | undefined): void {
    failure = message;
  },
  setSupported(supported: boolean): void {
    isSupported = supported;
  },
};

function at(index: number): Notification {
  const found = shown.at(index);
  if (!found) throw new Error(`There is no notification number ${index}.`);
  return found;
}
