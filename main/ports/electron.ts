import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
} from "electron";

/**
 * The one place that imports values of Electron. Everything else gets what it needs of this as a parameter, so that tests
 * can hand in something else: outside of Electron the package is only a path.
 */
export const electron = {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  globalShortcut,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  nativeTheme,
  powerMonitor,
  protocol,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
};

/** What of Electron the main process uses. Take as few of its parts as are needed: `Pick<Electron, "clipboard">`. */
export type Electron = typeof electron;
