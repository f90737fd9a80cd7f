// What specs hold in their hand: `globalThis.desktopHost` inside the app's process. A real Electron has no such thing.
import { app } from "./app/app.ts";
import { sharedChromium } from "./chromium/shared.ts";
import { dialogHand } from "./desktop/dialog.ts";
import { shortcutHand } from "./desktop/global-shortcut.ts";
import { notificationHand } from "./desktop/notification.ts";
import { trayHand } from "./desktop/tray.ts";
import { isAllowed } from "./lib/offered.ts";
import { type Recordings, recordings } from "./lib/recordings.ts";
import { session } from "./session/session.ts";
import { themeHand } from "./system/native-theme.ts";
import { netHand } from "./system/net.ts";
import { keychainHand } from "./system/safe-storage.ts";
import { WebFrameMain } from "./windows/frames.ts";
import { type HostWebContents, webContents } from "./windows/web-contents.ts";

const permissions = {
  /** Asks the app's permission request handler on behalf of a page. */
  request: (permission: string, details: object = {}, webContentsId = 1): Promise<boolean> =>
    session.defaultSession.hostRequestPermission(contents(webContentsId), permission, details),
  /** Asks the app's permission check handler. */
  check: (permission: string, origin: string, details: object = {}, webContentsId = 1): boolean =>
    session.defaultSession.hostCheckPermission(contents(webContentsId), permission, origin, details),
};

const ipc = {
  /**
   * Calls a handler as a frame at `url` would: what the app answers to senders it must not trust. A frame that is not the
   * top one has a parent.
   * @throws what the handler threw
   */
  invokeFrom(url: string, channel: string, args: readonly unknown[] = [], isTopFrame = true): Promise<unknown> {
    const frame = new WebFrameMain(99, () => url);
    const sender = contents(1);
    if (!isTopFrame) Object.defineProperty(frame, "parent", { value: sender.mainFrame });
    return sender.hostInvoke(frame, channel, args);
  },
};

function contents(id: number): HostWebContents {
  const found = webContents.fromId(id) ?? webContents.getAllWebContents()[0];
  if (!found) throw new Error("There is no page yet.");
  return found;
}

/** Everything the stand-in lets a spec see and do, beyond what Electron's own modules allow. */
const handle = {
  recordings: recordings as Recordings,
  tray: trayHand,
  notifications: notificationHand,
  dialogs: dialogHand,
  shortcuts: shortcutHand,
  theme: themeHand,
  net: netHand,
  keychain: keychainHand,
  permissions,
  ipc,
  /** What macOS does when a link of the app's scheme is opened. */
  openUrl: (url: string): boolean => !isAllowed(app, "open-url", {}, url),
  /** Emits an event that the app may prevent, such as "will-attach-webview"; whether it did not. */
  isAllowed: (emitter: NodeJS.EventEmitter, name: string, ...args: unknown[]): boolean =>
    isAllowed(emitter as typeof app, name, {}, ...args),
  chromiumPid: async (): Promise<number | undefined> => (await sharedChromium()).pid,
};

export type DesktopHost = typeof handle;

declare global {
  var desktopHost: DesktopHost;
}

globalThis.desktopHost = handle;
