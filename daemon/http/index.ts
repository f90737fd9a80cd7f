export { readJson, requireJson } from "./body.ts";
export { type Dialect, type Fields, ownDialect } from "./dialect.ts";
export type { DirectHandler } from "./direct.ts";
export { createDoor, type DoorServices } from "./door.ts";
export { streamEvents } from "./event-stream.ts";
export { isLoopbackHost } from "./guards.ts";
export type { Mount, MountedRequest } from "./mount.ts";
export { asCallerError, sendJson } from "./respond.ts";
export { type Listening, listen } from "./server.ts";
