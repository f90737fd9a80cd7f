import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** How long an answer that comes piece by piece may keep its reader in the dark about having begun, ms. */
const HEAD_WAIT_MS = 20;

/** Sends an answer: as a whole, or piece by piece if it is a stream of events. */
export async function sendWebResponse(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const type = answer.headers.get("content-type");
  const session = answer.headers.get("mcp-session-id");
  const headers: Record<string, string | number> = {
    ...(type === null ? {} : { "Content-Type": type }),
    ...(session === null ? {} : { "Mcp-Session-Id": session }),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  if (answer.body && type?.startsWith("text/event-stream")) {
    headers["X-Accel-Buffering"] = "no";
    response.writeHead(answer.status, headers);
    await pump(answer.body.getReader(), response, signal);
    return;
  }
  // A string leaves together with the headers in one write.
  const body = await answer.text();
  if (answer.status !== 204) headers["Content-Length"] = Buffer.byteLength(body);
  // The rest of an oversized body will not be read.
  if (answer.status === 413) headers.Connection = "close";
  response.writeHead(answer.status, headers);
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
