import { homedir } from "node:os";
import { IntercomError } from "../protocol/errors.ts";
import type { Core } from "./core.ts";
import { diagnosticsText } from "./diagnostics/diagnostics.ts";
import { performForHuman } from "./ipc/perform.ts";
import type { TrustedPages } from "./ipc/trusted-pages.ts";
import type { Quitting } from "./lifecycle/quit.ts";
import type { AppOptions } from "./options.ts";
import type { Electron } from "./ports/electron.ts";
import { addressOf } from "./security/open-external.ts";
import type { Settings } from "./settings/settings.ts";
import type { AppContext } from "./shell.ts";

export interface ContextParts {
  readonly core: Core;
  readonly pages: TrustedPages;
  readonly settings: Settings;
  readonly quitting: Quitting;
}

/** What tray, notifications, windows and the channels of the windows get of the app. */
export function createContext({ electron, places, logs }: AppOptions, parts: ContextParts): AppContext {
  const { core, pages, settings, quitting } = parts;
  const { model, live, supervisor } = core;
  return {
    electron,
    timers: core.timers,
    logger: logs.logger,
    files: { preload: places.preload, resources: places.resources },
    live: () => live.state,
    desktop: () => model.state,
    subscribe: (listener) => core.updates.subscribe(listener),
    call: async (operation, input, scopeId) => {
      // Nothing begins that the end of the daemon would cut off.
      if (quitting.hasBegun) throw new IntercomError("INTERNAL", "The app is quitting.", { reason: "quitting" });
      return await performForHuman(core.admin, { operation, input, scopeId });
    },
    changeSettings: (patch) => settings.change(patch),
    pauseNotifications: (until) => model.pause(until),
    notice: (notice) => model.notice(notice),
    setTray: (tray) => model.update({ tray }),
    restartDaemon: () => supervisor.restart(),
    openLogs: () => openFolder(electron, places.directories.logDir),
    copyDiagnostics: () => {
      const text = diagnosticsText({
        now: core.timers.now(),
        versions: { app: model.state.version, ...versionsOf(process.versions) },
        desktop: model.state,
        live: live.state,
        logs: { desktop: logs.ofDesktop(), daemon: logs.ofDaemon() },
        homedir: homedir(),
      });
      electron.clipboard.writeText(text);
      return { characters: text.length };
    },
    openLink: (link) => electron.shell.openExternal(addressOf(link, places.homepage)),
    trust: (contents) => pages.trust(contents),
    quit: () => quitting.quit(),
    isQuitting: () => quitting.hasBegun,
  };
}

function versionsOf({ electron, chrome, node }: NodeJS.ProcessVersions): Record<string, string | undefined> {
  return { electron, chrome, node };
}

/** @throws {IntercomError} INTERNAL when the operating system has nothing to show it with */
export async function openFolder({ shell }: Pick<Electron, "shell">, folder: string): Promise<void> {
  const problem = await shell.openPath(folder);
  if (problem) throw new IntercomError("INTERNAL", `The folder ${folder} could not be opened: ${problem}`);
}
