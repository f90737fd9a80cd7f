// Loaded first into the children of utilityProcess.fork: gives them Electron's `process.parentPort`.
import { EventEmitter } from "node:events";
import process from "node:process";

class ParentPort extends EventEmitter {
  readonly start = (): void => undefined;

  postMessage(message: unknown): void {
    process.send?.({ message });
  }
}

const parentPort = new ParentPort();
Object.assign(process, { parentPort, type: "utility" });
// Electron holds messages back until somebody listens; the first listener gets them all.
const early: unknown[] = [];
process.on("message", ({ message }: { message: unknown }) => {
  if (early.length > 0 || parentPort.listenerCount("message") === 0) early.push(message);
  else parentPort.emit("message", { data: message, ports: [] });
});
parentPort.on("newListener", (name) => {
  if (name !== "message") return;
  setImmediate(() => {
    for (const message of early.splice(0)) parentPort.emit("message", { data: message, ports: [] });
  });
});
// A utility process does not outlive the process it belongs to.
process.on("disconnect", () => process.exit(0));
