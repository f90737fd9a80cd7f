// The module that an app gets for "electron" in its main process. The types at the end hold its members to Electron's.
import type * as Electron from "electron";
import { app, type InventedByApp } from "./app/app.ts";
import { clipboard } from "./desktop/clipboard.ts";
import { dialog } from "./desktop/dialog.ts";
import { globalShortcut } from "./desktop/global-shortcut.ts";
import { Menu, MenuItem } from "./desktop/menu.ts";
import { nativeImage } from "./desktop/native-image.ts";
import { Notification } from "./desktop/notification.ts";
import { shell } from "./desktop/shell.ts";
import { Tray } from "./desktop/tray.ts";
import { Offered } from "./lib/offered.ts";
import { utilityProcess } from "./processes/utility-process.ts";
import { protocol, session } from "./session/session.ts";
import { nativeTheme } from "./system/native-theme.ts";
import { net } from "./system/net.ts";
import { powerMonitor, powerSaveBlocker } from "./system/power.ts";
import { crashReporter, systemPreferences } from "./system/reporting.ts";
import { safeStorage } from "./system/safe-storage.ts";
import { screen } from "./system/screen.ts";
import { BrowserWindow, type InventedByWindow } from "./windows/browser-window.ts";
import { ipcMain } from "./windows/ipc-main.ts";
import { type InventedByWebContents, webContents } from "./windows/web-contents.ts";

const members = {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
  webContents,
};

class ElectronModule extends Offered {}
const electron = Object.assign(new ElectronModule(), members);

type Invented =
  | InventedByApp
  | InventedByWindow
  | InventedByWebContents
  | Exclude<keyof typeof members, keyof typeof Electron>;
/** Fails to compile when the stand-in offers something under a name that Electron does not have. */
const nothingInvented: [Invented] extends [never] ? true : Invented = true;
void nothingInvented;

export default electron;
// What `require("electron")` returns.
export {
  app,
  BrowserWindow,
  clipboard,
  crashReporter,
  dialog,
  electron as "module.exports",
  globalShortcut,
  ipcMain,
  Menu,
  MenuItem,
  Notification,
  nativeImage,
  nativeTheme,
  net,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  shell,
  systemPreferences,
  Tray,
  utilityProcess,
  webContents,
};
