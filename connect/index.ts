// Connecting MCP clients: what is known about each of them, and changes to their configuration that touch nothing else.
export { type Applied, apply, undo } from "./apply.ts";
export { clients, findClient } from "./clients/index.ts";
export { buildEntry, type EntryRequest, freshEntry, type Launcher } from "./entry.ts";
export { type Environment, findProgram, type Platform } from "./environment.ts";
export { ConnectError, type ConnectErrorCode } from "./error.ts";
export { backupsOf } from "./file/backup.ts";
export { configFile, detect } from "./locate.ts";
export { type Connection, entryPath, inspect, isOff, type Plan, planConnect, planRemove, snippet } from "./plan.ts";
export { type ClientProfile, type Place, SERVER_NAME, TOKEN_VARIABLE, type Transport } from "./profile.ts";
