// A utility process that starts to listen only after a while, and then says back what it hears.
import process from "node:process";

interface ParentPort {
  on(name: "message", listener: (event: { data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as unknown as { parentPort: ParentPort };
setTimeout(() => parentPort.on("message", ({ data }) => parentPort.postMessage(data)), 50);
