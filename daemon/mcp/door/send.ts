import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** How long an answer that comes piece by piece may keep its reader in the dark about having begun, ms. */
const HEAD_WAIT_MS = 20;

/** Sends an answer: as a whole, or piece by piece if it is a stream of events. */
export async function sendWebResponse(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers = new Headers(answer.headers);
  // Says what HTTP/1.1 does anyway, or what is Node's to decide.
  headers.delete("connection");
  headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  if (answer.body && headers.get("content-type")?.startsWith("text/event-stream")) {
    response.writeHead(answer.status, Object.fromEntries(headers));
    await pump(answer.body.getReader(), response, signal);
    return;
  }
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 204) headers.set("Content-Length", String(body.length));
  // The rest of an oversized body will not be read.
  if (answer.status === 413) headers.set("Connection", "close");
  response.writeHead(answer.status, Object.fromEntries(headers));
  response.end(body);
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  // A quick answer travels in one piece with its head; a slow one lets its reader know that it is being made.
  const head = setTimeout(() => response.flushHeaders(), HEAD_WAIT_MS);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      clearTimeout(head);
      if (!response.write(value)) await once(response, "drain", { signal }).catch(() => {});
    }
  } finally {
    clearTimeout(head);
    signal.removeEventListener("abort", stop);
    response.end();
  }
}
