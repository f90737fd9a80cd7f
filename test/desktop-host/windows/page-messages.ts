// Main's half of IPC with one page.
import type { EventEmitter } from "node:events";
import process from "node:process";
import { DesktopEvent } from "../lib/offered.ts";
import type { FromPage } from "../page/preload.ts";
import type { WebFrameMain } from "./frames.ts";
import { ipcMain } from "./ipc-main.ts";
import type { PageTarget } from "./page-target.ts";

/** The page as handlers see it. */
export interface Sender extends EventEmitter {
  readonly id: number;
  readonly mainFrame: WebFrameMain;
  send(channel: string, ...args: unknown[]): void;
}

export class PageMessages {
  readonly #sender: Sender;
  readonly #page: PageTarget;

  constructor(sender: Sender, page: PageTarget) {
    this.#sender = sender;
    this.#page = page;
  }

  async receive(message: FromPage): Promise<void> {
    if (message.kind === "failed") {
      process.stderr.write(`The preload script failed: ${message.message}\n`);
      this.#sender.emit("preload-error", {}, "", new Error(message.message));
    } else if (message.kind === "send") {
      const event = this.#event(this.#sender.mainFrame);
      this.#sender.emit("ipc-message", event, message.channel, ...message.args);
      ipcMain.emit(message.channel, event, ...message.args);
    } else await this.#answer(message);
  }

  /** Calls the handler of an `ipcRenderer.invoke` that came from `frame`. @throws what the handler threw */
  invoke(frame: object, channel: string, args: readonly unknown[]): Promise<unknown> {
    return ipcMain.hostInvoke(channel, this.#event(frame), args);
  }

  async #answer({ id, channel, args }: Extract<FromPage, { kind: "invoke" }>): Promise<void> {
    try {
      const value = await this.invoke(this.#sender.mainFrame, channel, args);
      await this.#page.deliver({ kind: "reply", id, value });
    } catch (error) {
      const stack = error instanceof Error ? String(error.stack) : String(error);
      process.stderr.write(`Error occurred in handler for '${channel}': ${stack}\n`);
      const reason = `Error invoking remote method '${channel}': ${String(error)}`;
      // The page may be gone by now, and with it whoever waits.
      await this.#page.deliver({ kind: "reply", id, error: reason }).catch(() => false);
    }
  }

  #event(senderFrame: object): object {
    const sender = this.#sender;
    return Object.assign(new DesktopEvent(), {
      type: "frame",
      sender,
      senderFrame,
      processId: sender.id,
      frameId: 1,
      ports: [],
      reply: (channel: string, ...args: unknown[]) => sender.send(channel, ...args),
    });
  }
}
