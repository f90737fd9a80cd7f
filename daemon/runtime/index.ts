/** What the daemon needs from the machine: places, run file, logs, processes. Its hosts take sinks and loggers from the files. */
export { type Logger, silentLogger } from "./logger.ts";
export { type Directories, ensurePrivateDirectory, resolveDirectories } from "./paths.ts";
export { peerUser } from "./peer-user.ts";
export { describePortOwner } from "./port-owner.ts";
export { productVersion } from "./process-info.ts";
export { type DaemonOwner, readRunFile, removeRunFile, writeRunFile } from "./run-file.ts";
