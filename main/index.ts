// The order in which the app starts; each step is a file of its own. Electron is ready only after this file has been run, so
// nothing here may wait for that.
import { runApp } from "./app.ts";
import { parseLaunch } from "./lifecycle/arguments.ts";
import { DEEP_LINK_SCHEME } from "./lifecycle/deep-link.ts";
import { Launches } from "./lifecycle/launches.ts";
import { findPlaces, settleUserData } from "./lifecycle/places.ts";
import { openDesktopLogs } from "./logs/desktop-log.ts";
import { electron } from "./ports/electron.ts";
import { secureBeforeReady } from "./security/secure-app.ts";
import { SettingsFile } from "./settings/settings-file.ts";
import { createShell } from "./windows/shell.ts";

const { app, dialog } = electron;

function begin(): void {
  const launch = parseLaunch(process.argv.slice(1));
  settleUserData(app);
  if (!app.requestSingleInstanceLock()) {
    // The other one has been told and shows itself.
    app.exit(0);
    return;
  }
  const launches = new Launches(app);
  const places = findPlaces(app, import.meta.dirname, process.env);
  const logs = openDesktopLogs({ directories: places.directories, env: process.env, pid: process.pid });
  const settingsFile = new SettingsFile(places.settingsFile, Date.now());
  secureBeforeReady(electron, logs.logger);
  if (app.isPackaged) app.setAsDefaultProtocolClient(DEEP_LINK_SCHEME);
  app
    .whenReady()
    .then(() => runApp({ electron, places, logs, settingsFile, launch, launches, createShell }))
    .catch(failed);
}

/** Without even a window to say it in. */
function failed(error: unknown): void {
  dialog.showErrorBox("Agent Intercom cannot start", error instanceof Error ? error.message : String(error));
  app.exit(1);
}

try {
  begin();
} catch (error) {
  failed(error);
}
