import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** A JSON-RPC message; what it holds besides is the daemon's business. */
export interface Frame {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Reads messages, one to a line; a line that holds none comes as undefined. Ends with the input. */
export async function* readFrames(input: AsyncIterable<Uint8Array>): AsyncGenerator<Frame | undefined> {
  for await (const line of createInterface({ input: Readable.from(input), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    yield toFrame(line);
  }
}

function toFrame(line: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Frame) : undefined;
  } catch {
    return undefined;
  }
}

/** What a client gets where the daemon could not answer. A model can read a tool's result; anything else is an error. */
export function failureOf(frame: Frame, message: string): object {
  const { id = null, method } = frame;
  if (method !== "tools/call") return { jsonrpc: "2.0", id, error: { code: -32000, message } };
  return { jsonrpc: "2.0", id, result: { isError: true, content: [{ type: "text", text: message }] } };
}
