export { createDoor } from "./door.ts";
export { streamEvents } from "./event-stream.ts";
export { type Listening, listen } from "./server.ts";
