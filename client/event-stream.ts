import { type Event, type IntercomError, isIntercomError, LIMITS, RESYNC } from "../protocol/index.ts";
import { backoffMs } from "./backoff.ts";
import { failure, isTransient } from "./failure.ts";
import type { OperationMethod } from "./methods.ts";
import { type ServerSentEvent, SseParser } from "./sse.ts";
import { sleep, type Timers } from "./timers.ts";

/** An event with its position, or the news that events were missed. Hand `sequence` back as `after` to continue. */
export type FollowedEvent =
  | { readonly sequence: number; readonly event: Event; readonly resync?: undefined }
  | { readonly sequence: number; readonly resync: true; readonly event?: undefined };

export interface FollowOptions {
  /** Position of the last event already known; without it only new events come. */
  readonly after?: number;
  /** Ends the iteration quietly. */
  readonly signal?: AbortSignal;
}

export interface FollowAllOptions extends FollowOptions {
  /** Called with true when a connection stands, and with false when it broke and another is tried. */
  readonly onConnection?: (stands: boolean) => void;
}

/** The two calls the stream of all scopes is made of. */
export interface EventSource {
  newest(signal: AbortSignal | undefined): Promise<number>;
  open(after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

interface Pace {
  readonly timers: Timers;
  readonly random: () => number;
}

const RECONNECT = { baseMs: 500, maxMs: 10_000 };
/** The daemon sends a comment every 15 s; after three of them the connection counts as dead. */
const SILENCE_MS = 45_000;
/** Least time between two empty answers. */
const IDLE_MS = 1_000;

export async function* followAllEvents(
  source: EventSource,
  pace: Pace,
  { after, signal, onConnection }: FollowAllOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let position = after;
  for (let failures = 0; !signal?.aborted; ) {
    try {
      // A position from the start: a connection that breaks before its first event then loses nothing.
      position ??= await source.newest(signal);
      for await (const event of readStream(source, pace, position, { signal, onConnection })) {
        failures = 0;
        if (event === undefined) continue;
        position = event.sequence;
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!isTransient(error)) throw error;
    }
    failures += 1;
    if (failures === 1) onConnection?.(false);
    await sleep(pace.timers, backoffMs(failures, RECONNECT, pace.random), signal);
  }
}

/** Events of one connection; `undefined` stands for a sign of life. Throws when the connection breaks or falls silent. */
async function* readStream(
  source: EventSource,
  { timers }: Pace,
  after: number,
  { signal, onConnection }: { readonly [K in "signal" | "onConnection"]: FollowAllOptions[K] | undefined },
): AsyncGenerator<FollowedEvent | undefined, void, undefined> {
  const connection = new AbortController();
  const abort = (): void => connection.abort();
  signal?.addEventListener("abort", abort, { once: true });
  let silence: unknown;
  const listen = (): void => {
    timers.clearTimeout(silence);
    silence = timers.setTimeout(abort, SILENCE_MS);
  };
  try {
    const reader = (await source.open(after, connection.signal)).getReader();
    onConnection?.(true);
    const parser = new SseParser();
    for (listen(); ; listen()) {
      const { done, value } = await readChunk(reader, connection.signal);
      if (done) return;
      yield undefined;
      for (const event of parser.push(value)) yield parseEvent(event);
    }
  } finally {
    timers.clearTimeout(silence);
    signal?.removeEventListener("abort", abort);
    abort();
  }
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/** A read that the signal can end; fetch bodies of other makers do not all listen to it. */
async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal): Promise<Chunk> {
  const broken = (cause: unknown): IntercomError => failure("network", "The event stream broke off", cause);
  if (signal.aborted) throw broken(signal.reason);
  return new Promise<Chunk>((resolve, reject) => {
    const abort = (): void => {
      reject(broken(signal.reason));
      reader.cancel().catch(() => {});
    };
    signal.addEventListener("abort", abort, { once: true });
    reader
      .read()
      .then(resolve, (error: unknown) => reject(broken(error)))
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

function parseEvent({ id, type, data }: ServerSentEvent): FollowedEvent {
  try {
    const sequence = Number.parseInt(id, 10);
    if (!Number.isSafeInteger(sequence)) throw new TypeError("The event has no position");
    return type === RESYNC ? { resync: true, sequence } : { sequence, event: JSON.parse(data) as Event };
  } catch (error) {
    throw failure("protocol", "Expected a numbered event as JSON", error);
  }
}

export async function* followScopeEvents(
  listEvents: OperationMethod<"listEvents">,
  { timers, random }: Pace,
  { after, signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  let position = after;
  let confirmed = false;
  for (let failures = 0; !signal?.aborted; ) {
    try {
      if (position === undefined) {
        position = (await listEvents({ limit: 1 }, { signal })).currentRevision;
        if (confirmed) yield { resync: true, sequence: position };
      }
      const asked = timers.now();
      const page = await listEvents(
        { after: position, limit: LIMITS.eventBatch, waitMs: LIMITS.waitMaxMs },
        { signal },
      );
      confirmed = true;
      failures = 0;
      position = page.nextRevision;
      if (page.resyncRequired) yield { resync: true, sequence: page.nextRevision };
      else for (const event of page.events) yield { sequence: event.revision, event };
      // A daemon that is stopping may cut the wait short; do not spin meanwhile.
      if (page.events.length === 0) await sleep(timers, IDLE_MS - (timers.now() - asked), signal);
    } catch (error) {
      if (signal?.aborted) return;
      // A position that was good and now is not: the daemon came back with an older history.
      if (confirmed && isIntercomError(error, "INVALID_ARGUMENT")) position = undefined;
      else if (!isTransient(error)) throw error;
      failures += 1;
      await sleep(timers, backoffMs(failures, RECONNECT, random), signal);
    }
  }
}
