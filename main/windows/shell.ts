import type { BrowserWindow, WebContents } from "electron";
import { webPreferences } from "../security/web-preferences.ts";
import { type AppContext, type CreateShell, PAGES, type Shell, type TrustedPage } from "../shell.ts";

interface Opened {
  readonly window: BrowserWindow;
  readonly page: TrustedPage;
}

/** A window for each page, made when it is first wanted. */
export const createShell: CreateShell = async (context, { hidden, first }) => {
  const opened = new Map<keyof typeof PAGES, Opened>();
  const show = (name: keyof typeof PAGES): Opened => {
    const found = opened.get(name) ?? open(context, name, () => opened.delete(name));
    opened.set(name, found);
    found.window.show();
    return found;
  };
  const shell: Shell = {
    openMain: (destination) => {
      const { page } = show("main");
      if (destination) page.go(destination);
    },
    openAnswer: (escalationId) => {
      show("answer").page.go({ view: "inbox", ...(escalationId === undefined ? {} : { id: escalationId }) });
    },
    hide: (contents: WebContents) => {
      for (const { window } of opened.values()) if (window.webContents === contents) window.hide();
    },
    showing: () => {},
    crashed: async ({ message }) => {
      context.electron.dialog.showErrorBox("Agent Intercom has failed", message);
      return "quit";
    },
    close: () => {
      for (const { window } of opened.values()) window.destroy();
    },
  };
  if (first) shell.openAnswer(first.escalationId);
  else if (!hidden) shell.openMain();
  return shell;
};

function open(context: AppContext, name: keyof typeof PAGES, onClosed: () => void): Opened {
  const { BrowserWindow, app } = context.electron;
  const window = new BrowserWindow({
    show: false,
    webPreferences: webPreferences({ preload: context.files.preload, isPackaged: app.isPackaged }),
  });
  const page = context.trust(window.webContents);
  window.once("closed", onClosed);
  window.loadURL(PAGES[name]).catch((error: unknown) => context.logger.error("a page could not be loaded", { error }));
  return { window, page };
}
