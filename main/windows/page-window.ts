import type { BrowserWindow, BrowserWindowConstructorOptions } from "electron";
import { webPreferences } from "../security/web-preferences.ts";
import type { AppContext, TrustedPage } from "../shell.ts";
import { backgroundColor } from "./background.ts";

export type WindowContext = Pick<
  AppContext,
  "electron" | "timers" | "files" | "logger" | "desktop" | "trust" | "isQuitting" | "quit"
>;

/** A window and the page in it. */
export interface PageWindow {
  readonly window: BrowserWindow;
  readonly page: TrustedPage;
}

/** Makes a window with a page of ours in it. It is hidden until somebody shows it. */
export function openPage(context: WindowContext, url: string, options: BrowserWindowConstructorOptions): PageWindow {
  const { electron, files, logger } = context;
  const window = new electron.BrowserWindow({
    ...options,
    show: false,
    backgroundColor: backgroundColor(electron.nativeTheme),
    webPreferences: webPreferences({ preload: files.preload, isPackaged: electron.app.isPackaged }),
  });
  const page = context.trust(window.webContents);
  const recolour = (): void => window.setBackgroundColor(backgroundColor(electron.nativeTheme));
  electron.nativeTheme.on("updated", recolour);
  window.on("closed", () => electron.nativeTheme.off("updated", recolour));
  window.loadURL(url).catch((error: unknown) => {
    // A window that was closed meanwhile is no failure.
    if (!window.isDestroyed()) logger.error("a page was not loaded", { url, error });
  });
  return { window, page };
}
