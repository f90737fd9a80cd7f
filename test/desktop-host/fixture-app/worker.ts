// The fixture app's utility process: answers each message, and can be told to end.
import process from "node:process";

interface Ask {
  readonly id: number;
  readonly text: string;
  readonly bytes?: Uint8Array;
}
interface ParentPort {
  on(name: "message", listener: (event: { data: Ask }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as unknown as { parentPort: ParentPort };
process.stdout.write(`worker started as ${process.argv.slice(2).join(" ")} with ${process.env.FIXTURE_COLOR}\n`);

parentPort.on("message", ({ data: { id, text, bytes } }) => {
  if (text === "exit") process.exit(3);
  parentPort.postMessage({ id, value: { text: `worker heard ${text}`, bytes: bytes?.length ?? 0, at: new Date(0) } });
});
