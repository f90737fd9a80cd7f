import { rmSync } from "node:fs";
import { open } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { IntercomError, LIMITS, type ParsedInput } from "../protocol/index.ts";
import type { Background } from "./background/index.ts";
import type { Engine } from "./engine/index.ts";
import { type DirectHandler, requireJson, sendJson } from "./http/index.ts";
import { toCallerError } from "./store/index.ts";

/** How long a caller may take none of what it asked for. */
const STALLED_MS = 30_000;

/** Read at once of a file that is sent. Each piece costs a turn of the event loop, and a busy daemon's turns are long. */
const PIECE_BYTES = 256 * 1024;

/**
 * Answers the operations that move more than memory should hold: archives in and out, and copies of the database. Each
 * goes through a file, so that a slow caller keeps neither a snapshot of the database nor a place in the background.
 */
export class Transfers {
  readonly #engine: Engine;
  readonly #background: Background;
  readonly #running = new Set<Promise<unknown>>();

  constructor(engine: Engine, background: Background) {
    this.#engine = engine;
    this.#background = background;
  }

  /** Resolves when no call is under way any more and its file is gone; their connections have to be closed before. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  readonly exportScope: DirectHandler = async (call, request, response) => {
    await this.#engine.requireAdmin(call.credentials);
    const { scopeId, extensions = false, whileRunning = false } = call.input as ParsedInput<"exportScope">;
    await this.#withFile("exportScope", async (file) => {
      await this.#engine.settleDue();
      await this.#background.exportTo(file, { scopeId, extensions, whileRunning }, ENVELOPE, (bytes) => {
        if (call.signal.aborted) throw new IntercomError("INVALID_ARGUMENT", "The caller has gone");
        if (bytes > LIMITS.archiveBytes) throw tooLargeToImport();
      });
      await sendFile(file, "application/json", request, response);
    });
  };

  readonly importScope: DirectHandler = async (call, request, response) => {
    await this.#engine.requireAdmin(call.credentials);
    requireJson(request);
    const [unknown] = Object.keys(call.input);
    if (unknown !== undefined) {
      throw new IntercomError("INVALID_ARGUMENT", `${unknown}: unknown field here; fields travel in the body`);
    }
    const outcome = await this.#withFile("importScope", async (file) => {
      await receive(request, file);
      return this.#background.importArchive(file);
    });
    this.#engine.somethingHappened();
    sendJson(response, outcome.imported ? 201 : 200, { ok: true, result: outcome });
  };

  readonly backup: DirectHandler = async (call, request, response) => {
    await this.#engine.requireAdmin(call.credentials);
    await this.#withFile("backup", async (file) => {
      await this.#background.copyTo(file);
      await sendFile(file, "application/octet-stream", request, response);
    });
  };

  /** Lends a temporary file to a call that has been admitted. */
  async #withFile<T>(name: "exportScope" | "importScope" | "backup", work: (file: string) => Promise<T>): Promise<T> {
    const leave = this.#engine.admit(name);
    const file = this.#background.temporaryFile(name);
    const running = work(file).finally(() => {
      rmSync(file, { force: true });
      leave();
      this.#running.delete(running);
    });
    this.#running.add(running);
    return running;
  }
}

/** What an answer has around its result. */
const ENVELOPE = ['{"ok":true,"result":', "}"] as const;

const ARCHIVE_MIB = LIMITS.archiveBytes / (1024 * 1024);

/** Puts the body of a request into a new file. @throws {IntercomError} INVALID_ARGUMENT when it is too large or ends early */
async function receive(request: IncomingMessage, file: string): Promise<void> {
  if (Number(request.headers["content-length"] ?? 0) > LIMITS.archiveBytes) throw tooLarge();
  const handle = await open(file, "wx", 0o600);
  let size = 0;
  try {
    // Whoever sends too much should hear of it, so the connection is not ours to destroy.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > LIMITS.archiveBytes) throw tooLarge();
      await handle.appendFile(chunk as Buffer);
    }
  } catch (error) {
    if (isGone(error)) throw new IntercomError("INVALID_ARGUMENT", "The body ended early");
    throw toCallerError(error);
  } finally {
    await handle.close();
  }
}

async function sendFile(
  file: string,
  contentType: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const handle = await open(file);
  try {
    response.writeHead(200, {
      "Content-Type": contentType,
      "Content-Length": (await handle.stat()).size,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    // The server cuts a connection on which nothing moves for so long, and sets its own patience when all is sent.
    request.socket.setTimeout(STALLED_MS);
    await pipeline(handle.createReadStream({ autoClose: false, highWaterMark: PIECE_BYTES }), response);
  } catch (error) {
    // A caller that hangs up in the middle is nobody's defect.
    if (!isGone(error)) throw error;
  } finally {
    await handle.close();
  }
}

function isGone(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["ERR_STREAM_PREMATURE_CLOSE", "ERR_STREAM_DESTROYED", "ECONNRESET", "EPIPE"].includes(code);
}

function tooLargeToImport(): IntercomError {
  const message = `The archive would exceed ${ARCHIVE_MIB} MiB, which no import takes; prune the scope first`;
  return new IntercomError("BACKPRESSURE", message, { limit: LIMITS.archiveBytes });
}

function tooLarge(): IntercomError {
  return new IntercomError("INVALID_ARGUMENT", `The archive exceeds ${ARCHIVE_MIB} MiB`, { reason: "too_large" });
}
