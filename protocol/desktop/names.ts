// Names alone, without schemas: the preload script is made of nothing else.

/** Name of the one global the preload script gives to pages. */
export const BRIDGE = "intercom";

/** Views of the main window. */
export const VIEWS = ["inbox", "sessions", "messages", "tasks", "activity", "connect", "settings", "about"] as const;
export type View = (typeof VIEWS)[number];

/** Pages of the product in the web, which a window may have opened. */
export const LINKS = ["documentation", "changelog", "issues", "license"] as const;
export type Link = (typeof LINKS)[number];

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
