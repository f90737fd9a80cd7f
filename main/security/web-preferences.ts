import type { WebPreferences } from "electron";

export interface PageOptions {
  readonly preload: string;
  /** Developer tools are for developers: never in an installed app. */
  readonly isPackaged: boolean;
}

/** The one set of preferences of every window that shows a page of ours. */
export function webPreferences({ preload, isPackaged }: PageOptions): WebPreferences {
  return {
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    nodeIntegrationInWorker: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    webviewTag: false,
    spellcheck: false,
    devTools: !isPackaged,
  };
}
