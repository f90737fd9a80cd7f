import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { IntercomError, RESYNC } from "../../protocol/index.ts";
import { type Call, type Engine, followEvents, newestEventSequence } from "../engine/index.ts";

const KEEP_ALIVE_MS = 15_000;

/** Where to go on: the browser's own header wins over the query, since it is newer. */
function startAfter(request: IncomingMessage, input: unknown): number | undefined {
  const header = request.headers["last-event-id"];
  if (typeof header === "string" && header !== "") {
    if (!/^\d{1,15}$/.test(header))
      throw new IntercomError("INVALID_ARGUMENT", "Last-Event-ID: expected an event id of this stream");
    return Number(header);
  }
  return (input as { after?: number }).after;
}

/** Waits until the reader has taken what was written, or has gone: of a response that is closed already nothing comes. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await once(response, "drain", { signal }).catch(() => {});
}

/** Sends the events of every scope as Server-Sent Events, at the pace the reader takes them. */
export async function streamEvents(
  engine: Engine,
  call: Call,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Known before the stream begins: whoever has its answer misses nothing from then on.
  const after = startAfter(request, call.input) ?? (await newestEventSequence(engine));
  const signal = call.signal ?? new AbortController().signal;
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
  });
  response.write(": following\n\n");
  for await (const item of followEvents(engine, after, KEEP_ALIVE_MS, signal)) {
    if (item.kind === "idle") response.write(": keep-alive\n\n");
    else if (item.kind === "resync") response.write(`event: ${RESYNC}\nid: ${item.sequence}\ndata: {}\n\n`);
    else if (!response.write(`id: ${item.sequence}\ndata: ${JSON.stringify(item.event)}\n\n`)) {
      await drained(response, signal);
    }
  }
  response.end();
}
