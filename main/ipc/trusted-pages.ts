import type { IpcMainInvokeEvent, WebContents } from "electron";
import type { Timers } from "../../client/index.ts";
import type { DesktopState, LiveState } from "../../protocol/desktop/index.ts";
import { ipcName } from "../../protocol/desktop/names.ts";
import { isPageAddress } from "../security/pages.ts";
import type { AppUpdate, TrustedPage } from "../shell.ts";
import { PageFrames } from "./page-frames.ts";

export interface TrustedPagesOptions {
  readonly timers: Timers;
  read(): { readonly live: LiveState; readonly desktop: DesktopState };
}

/** The pages that may talk to the main process: those of windows we have made, while they show what we have put there. */
export class TrustedPages {
  readonly #options: TrustedPagesOptions;
  readonly #pages = new Map<number, PageFrames>();

  constructor(options: TrustedPagesOptions) {
    this.#options = options;
  }

  trust(contents: WebContents): TrustedPage {
    const { id } = contents;
    const frames = new PageFrames({
      ...this.#options,
      send: (push, value) => {
        if (!contents.isDestroyed()) contents.send(ipcName.push(push), value);
      },
    });
    this.#pages.set(id, frames);
    contents.on("did-start-navigation", (details) => {
      if (details.isMainFrame && !details.isSameDocument) frames.detach();
    });
    contents.once("destroyed", () => {
      this.#pages.delete(id);
      frames.close();
    });
    return {
      go: (destination) => frames.go(destination),
      get isAttached() {
        return frames.isAttached;
      },
    };
  }

  /** The page that asks, if it is one of ours; a frame inside of a page is none. */
  pageOf({ sender, senderFrame }: Pick<IpcMainInvokeEvent, "sender" | "senderFrame">): PageFrames | undefined {
    const isOurs = senderFrame !== null && senderFrame.parent === null && isPageAddress(senderFrame.url);
    return isOurs ? this.#pages.get(sender.id) : undefined;
  }

  tell(update: AppUpdate): void {
    for (const frames of this.#pages.values()) frames.add(update);
  }
}
