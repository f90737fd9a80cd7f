import type { LaunchRequest } from "./lifecycle/arguments.ts";
import type { Launches } from "./lifecycle/launches.ts";
import type { Places } from "./lifecycle/places.ts";
import type { DesktopLogs } from "./logs/desktop-log.ts";
import type { Electron } from "./ports/electron.ts";
import type { SettingsFile } from "./settings/settings-file.ts";
import type { CreateShell } from "./shell.ts";

/** What is settled before Electron is ready. */
export interface AppOptions {
  readonly electron: Electron;
  readonly places: Places;
  readonly logs: DesktopLogs;
  readonly settingsFile: SettingsFile;
  readonly launch: LaunchRequest;
  readonly launches: Launches;
  readonly createShell: CreateShell;
}
