// Names alone, without schemas: the preload script is made of nothing else, and pages load no schema library for them.

/** Name of the one global the preload script gives to pages. */
export const BRIDGE = "intercom";

/** Views of the main window. */
export const VIEWS = ["inbox", "sessions", "messages", "tasks", "activity", "connect", "settings", "about"] as const;
export type View = (typeof VIEWS)[number];

/** Pages of the product in the web, which a window may have opened. */
export const LINKS = ["documentation", "changelog", "issues", "license"] as const;
export type Link = (typeof LINKS)[number];

export const THEMES = ["system", "light", "dark"] as const;
/** Languages there are catalogues for. */
export const LOCALES = ["en", "de"] as const;
export const UPDATE_CHANNELS = ["latest", "beta"] as const;
/** Days after which finished things are removed; 0 keeps them for ever. */
export const RETENTION_DAYS = [0, 7, 30, 90, 365] as const;

/** What a window may ask of the main process; `ipcChannels` says with what. */
export const IPC_CHANNELS = [
  "attach",
  "call",
  "changeSettings",
  "pauseNotifications",
  "dismissNotice",
  "restartDaemon",
  "openMain",
  "openAnswer",
  "hideWindow",
  "showing",
  "listClients",
  "connectClient",
  "undoClient",
  "backup",
  "openLogs",
  "openDataDirectory",
  "copyDiagnostics",
  "copyText",
  "openLink",
  "quit",
] as const;
export type IpcChannel = (typeof IPC_CHANNELS)[number];

/** What the main process sends of its own accord. */
export const IPC_PUSHES = ["frame", "destination"] as const;
export type IpcPush = (typeof IPC_PUSHES)[number];

/** Names on the wire. */
export const ipcName = {
  request: (channel: IpcChannel) => `intercom:${channel}`,
  push: (push: IpcPush) => `intercom:push:${push}`,
} as const;

/** What an agent gets that asked for a permission and offered no answers of its own, wherever it is answered. */
export const PERMISSION_ANSWERS = { allow: "allow", deny: "deny" } as const;
