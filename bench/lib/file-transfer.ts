import { createReadStream, createWriteStream, readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { pipeline } from "node:stream/promises";

interface Transfer {
  readonly address: string;
  readonly token: string;
  readonly path: string;
}

function open({ address, token, path }: Transfer, method: string, headers: Record<string, string | number> = {}) {
  const sent = request(address + path, { method, headers: { Authorization: `Bearer ${token}`, ...headers } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve);
    sent.once("error", reject);
  });
  return { sent, answered };
}

/** Fetches an answer into a file, without holding it. */
export async function download(transfer: Transfer, file: string): Promise<void> {
  const { sent, answered } = open(transfer, "GET");
  sent.end();
  const response = await answered;
  await pipeline(response, createWriteStream(file));
  if (response.statusCode !== 200)
    throw new Error(`${transfer.path}: ${response.statusCode} ${readFileSync(file, "utf8")}`);
}

/** Sends a part of a file as a body of JSON. Gives the status and text of the answer. */
export async function upload(transfer: Transfer, file: string, part: { readonly start: number; readonly end: number }) {
  const length = part.end - part.start + 1;
  const headers = { "Content-Type": "application/json", "Content-Length": length };
  const { sent, answered } = open(transfer, "POST", headers);
  await pipeline(createReadStream(file, part), sent);
  const response = await answered;
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk as string;
  return { status: response.statusCode ?? 0, text };
}

/** Where the archive lies in the answer to an export: between `{"ok":true,"result":` and `}`. */
export function archiveIn(file: string): { readonly start: number; readonly end: number } {
  return { start: '{"ok":true,"result":'.length, end: statSync(file).size - 2 };
}
