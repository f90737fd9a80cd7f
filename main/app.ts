import { homedir } from "node:os";
import { join } from "node:path";
import { failure } from "../client/failure.ts";
import { IntercomError } from "../protocol/errors.ts";
import { DEFAULT_PORT } from "../protocol/version.ts";
import { backupName, saveBackup } from "./backup/save-backup.ts";
import { ConnectableClients } from "./connect/clients.ts";
import { launcherOf, machineOf } from "./connect/machine.ts";
import { createContext, openFolder } from "./context.ts";
import { Core, platformOf } from "./core.ts";
import { ipcHandlers } from "./ipc/handlers.ts";
import { registerIpc } from "./ipc/register.ts";
import { TrustedPages } from "./ipc/trusted-pages.ts";
import { watchCrashes } from "./lifecycle/crash.ts";
import { watchPower } from "./lifecycle/power.ts";
import { Quitting, quitWith } from "./lifecycle/quit.ts";
import type { AppOptions } from "./options.ts";
import { secureWhenReady } from "./security/secure-app.ts";
import { setLoginItem } from "./settings/login-item.ts";
import { Settings } from "./settings/settings.ts";
import { Shortcut } from "./settings/shortcut.ts";
import type { Shell } from "./shell.ts";

/** Runs the app, once Electron is ready: the daemon first, what talks to it next, and what can be seen of it last. */
export async function runApp(options: AppOptions): Promise<void> {
  const { electron, places, logs, settingsFile, launch, launches } = options;
  const { app } = electron;
  const { logger } = logs;
  let shell: Shell | undefined;
  secureWhenReady(electron, places.pages, logger);

  const core = new Core(options);
  const pages = new TrustedPages({
    timers: core.timers,
    read: () => ({ live: core.live.state, desktop: core.model.state }),
  });
  core.updates.subscribe((update) => pages.tell(update));
  const quitting = new Quitting({
    logger,
    steps: [
      { name: "intake", run: () => shell?.close() },
      { name: "daemon", run: () => core.close() },
      { name: "logs", run: () => logs.close() },
    ],
    exit: () => app.exit(0),
  });
  quitWith(quitting, electron, process);
  watchCrashes({
    process,
    logger,
    homedir: homedir(),
    show: (report) => shell?.crashed(report) ?? crashedEarly(options, report.message),
    relaunch: () => {
      app.relaunch();
      void quitting.quit();
    },
    quit: () => void quitting.quit(),
  });

  const settings = createSettings(options, core, () => shell?.openAnswer());
  settings.begin();
  core.supervisor.start();
  watchPower(electron.powerMonitor, [core]);

  const context = createContext(options, { core, pages, settings, quitting });
  // Before there is a page that could ask.
  registerIpc({
    ipcMain: electron.ipcMain,
    pages,
    logger,
    handlers: ipcHandlers({
      context,
      shell: () => {
        if (!shell) throw new IntercomError("INTERNAL", "The app has not started yet.", { reason: "starting" });
        return shell;
      },
      clients: createClients(options, core),
      dismissNotice: (id) => core.model.dismissNotice(id),
      openDataDirectory: () => openFolder(electron, places.directories.dataDir),
      backup: () => backUp(options, core),
    }),
  });
  const shown = await options.createShell(context, {
    hidden: launch.hidden,
    ...(launch.link ? { first: launch.link } : {}),
  });
  shell = shown;
  if (quitting.hasBegun) shell.close();
  launches.take(({ hidden, link }) => {
    if (link) shown.openAnswer(link.escalationId);
    else if (!hidden) shown.openMain();
  });
  logger.info("the desktop is ready", {
    version: core.model.state.version,
    retentionDays: settingsFile.current.retentionDays,
  });
}

function createSettings({ electron, settingsFile }: AppOptions, core: Core, onShortcut: () => void): Settings {
  const { app, nativeTheme, globalShortcut } = electron;
  // Where the app is one file that unpacks itself, that file is what to start.
  const program = process.env.APPIMAGE ?? process.execPath;
  return new Settings({
    file: settingsFile,
    shortcut: new Shortcut(globalShortcut, onShortcut),
    setLoginItem: (startAtLogin) =>
      setLoginItem(startAtLogin, {
        app,
        platform: process.platform,
        env: process.env,
        homedir: homedir(),
        command: app.isPackaged ? [program] : [program, app.getAppPath()],
      }),
    setTheme: (theme) => {
      nativeTheme.themeSource = theme;
    },
    systemLanguages: () => app.getPreferredSystemLanguages(),
    onChange: (settings, locale) => core.model.update({ settings, locale }),
    notice: (notice) => core.model.notice(notice),
  });
}

function createClients({ places }: AppOptions, core: Core): ConnectableClients {
  const machine = {
    platform: platformOf(process.platform),
    env: process.env,
    homedir: homedir(),
    appDir: places.appDir,
  };
  const { dataDir, runtimeDir } = places.directories;
  return new ConnectableClients({
    environment: machineOf(machine),
    launcher: () => launcherOf(machine),
    address: () => core.supervisor.view.address ?? `http://127.0.0.1:${DEFAULT_PORT}`,
    dataDir,
    runtimeDir,
    isRuntimeDirChosen: Boolean(process.env.AGENT_INTERCOM_RUNTIME_DIR),
    now: () => core.timers.now(),
  });
}

async function backUp({ electron }: AppOptions, core: Core) {
  const { admin } = core;
  if (!admin) throw failure("network", "The daemon is not running.");
  const { canceled, filePath } = await electron.dialog.showSaveDialog({
    defaultPath: join(electron.app.getPath("documents"), backupName(core.timers.now())),
    properties: ["createDirectory", "showOverwriteConfirmation"],
  });
  return canceled || !filePath ? null : await saveBackup(filePath, admin.backup());
}

/** There is nothing of ours yet to show it with. */
async function crashedEarly({ electron }: AppOptions, message: string): Promise<"quit"> {
  electron.dialog.showErrorBox("Agent Intercom has failed", message);
  return "quit";
}
