export { type HeldLock, tryLock } from "./lock.ts";
export { SqliteStore } from "./sqlite/sqlite-store.ts";
export type { Store } from "./store.ts";
