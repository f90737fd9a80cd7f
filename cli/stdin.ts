import { usageError } from "./errors.ts";
import type { Io } from "./io.ts";

const MAX_BYTES = 1024 * 1024;

/** The text given on the command line, or all of standard input when it is `-` or missing and something is piped in. */
export async function textOrStdin(text: string | undefined, io: Io, what: string): Promise<string> {
  if (text !== undefined && text !== "-") return text;
  if (text === undefined && io.stdin.isTTY) {
    throw usageError(`The ${what} is missing.`, "Give it as an argument, or pipe it in.");
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    size += chunk.length;
    if (size > MAX_BYTES) throw usageError(`The ${what} on standard input is larger than ${MAX_BYTES} bytes.`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}
