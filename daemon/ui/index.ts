export { defaultUiDirectory } from "./files.ts";
export { createUiDoor } from "./mount.ts";
