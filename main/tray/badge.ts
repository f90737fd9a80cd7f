import { join } from "node:path";
import type { BrowserWindow } from "electron";
import type { Translator } from "../../i18n/index.ts";
import type { AppContext } from "../shell.ts";

/** The count on the app's own icon: a number where the system draws one, and a mark on the window's button on Windows. */
export class Badge {
  readonly #context: Pick<AppContext, "electron" | "desktop" | "files">;
  #shown = "0";

  constructor(context: Pick<AppContext, "electron" | "desktop" | "files">) {
    this.#context = context;
  }

  show(count: number, window: BrowserWindow | undefined, t: Translator): void {
    const { electron, desktop, files } = this.#context;
    const isOnWindow = desktop().platform === "win32";
    // On Windows the mark belongs to a window, so one that is new needs it anew.
    const shown = isOnWindow && window ? `${count} on ${window.id}` : String(count);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (!isOnWindow) electron.app.setBadgeCount(count);
    else if (window && count > 0) {
      const image = electron.nativeImage.createFromPath(join(files.resources, "tray", "win32", "overlay.png"));
      window.setOverlayIcon(image, t("tray.tooltip.needsYou", { count }));
    } else window?.setOverlayIcon(null, "");
  }
}
