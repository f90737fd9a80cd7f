import { OfferedEmitter } from "../lib/offered.ts";

type Handler = (event: object, ...args: unknown[]) => unknown;

/** Electron's `ipcMain`. */
class IpcMain extends OfferedEmitter {
  readonly #handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...args) => {
      this.#handlers.delete(channel);
      return handler(event, ...args);
    });
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  /**
   * Answers one `ipcRenderer.invoke`. Not a member of Electron's.
   * @throws what the handler threw, or that there is none
   */
  async hostInvoke(channel: string, event: object, args: readonly unknown[]): Promise<unknown> {
    const handler = this.#handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  }
}

export const ipcMain: IpcMain = new IpcMain();
