import { type OperationInput, type OperationName, type OperationResult, operationOf } from "../protocol/index.ts";
import type { Deadline } from "./deadline.ts";
import { failure } from "./failure.ts";
import { readError, readResult } from "./response.ts";
import type { TransferBody, TransferOptions, Transport } from "./transport.ts";

/** An archive of a scope as bytes of JSON. */
export type Archive = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The bytes an operation answers with. */
export async function* download<N extends OperationName>(
  transport: Transport,
  name: N,
  input: OperationInput<N>,
  options: TransferOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { response, deadline } = await transport.transfer(name, input, options);
  try {
    if (!response.ok || response.body === null) throw await readError(response);
    const expected = response.headers.get("Content-Length");
    let received = 0;
    for await (const chunk of chunksOf(response.body, deadline.signal)) {
      received += chunk.length;
      yield chunk;
    }
    if (expected !== null && received !== Number(expected)) throw brokeOff(undefined);
  } catch (error) {
    throw deadline.signal.aborted ? deadline.error(name) : error;
  } finally {
    deadline.dispose();
  }
}

/** The archive inside the envelope of its answer. */
export async function* downloadArchive(
  transport: Transport,
  input: OperationInput<"exportScope">,
  options: TransferOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const envelope = new EnvelopeStripper();
  for await (const chunk of download(transport, "exportScope", input, options)) {
    const inside = envelope.push(chunk);
    if (inside.length > 0) yield inside;
  }
  yield envelope.end();
}

export async function uploadArchive(
  transport: Transport,
  archive: Archive,
  options: TransferOptions,
): Promise<OperationResult<"importScope">> {
  const { response, deadline } = await transport.transfer("importScope", {}, options, toBody(archive));
  try {
    return (await readResult(response, operationOf("importScope"))) as OperationResult<"importScope">;
  } catch (error) {
    throw deadline.signal.aborted ? deadline.error("importScope") : error;
  } finally {
    deadline.dispose();
  }
}

/** Pieces of a body, until its end or until the signal fires. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: Deadline["signal"],
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => {});
  // Bodies of other makers of `fetch` do not all listen to its signal.
  signal.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw brokeOff(error);
      });
      if (signal.aborted) throw brokeOff(signal.reason);
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    cancel();
  }
}

function brokeOff(cause: unknown) {
  return failure("network", "The answer broke off", cause);
}

function toBody(archive: Archive): TransferBody {
  if (archive instanceof Blob || archive instanceof ReadableStream) return archive;
  const iterator = archive[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

const OPENING = /^\s*\{\s*"ok"\s*:\s*true\s*,\s*"result"\s*:\s*/;
const CLOSING = /\s*\}\s*$/;
/** More than the envelope takes on either side. */
const MARGIN = 128;

/** Takes the envelope off an answer that comes in pieces. */
class EnvelopeStripper {
  /** What came and was not handed on: the beginning until it is complete, later always the end. */
  #held: Uint8Array = new Uint8Array();
  #opened = false;

  /** @returns what is certain to be inside */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = concat(this.#held, chunk);
    if (!this.#opened && bytes.length < MARGIN) {
      this.#held = bytes;
      return new Uint8Array();
    }
    const inside = this.#open(bytes);
    const end = Math.max(0, inside.length - MARGIN);
    this.#held = inside.slice(end);
    return inside.subarray(0, end);
  }

  /** @returns the rest of what is inside. @throws {IntercomError} when the answer was not one, or not all of one */
  end(): Uint8Array {
    const inside = this.#open(this.#held);
    const tail = CLOSING.exec(latin(inside));
    if (!tail) throw failure("protocol", "The archive ended too early");
    return inside.subarray(0, tail.index);
  }

  #open(bytes: Uint8Array): Uint8Array {
    if (this.#opened) return bytes;
    const opening = OPENING.exec(latin(bytes.subarray(0, MARGIN)));
    if (!opening) throw failure("protocol", "Expected an archive of the daemon, got something else");
    this.#opened = true;
    return bytes.subarray(opening[0].length);
  }
}

/** One character for each byte, so that positions agree. */
function latin(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array {
  if (left.length === 0) return right;
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
