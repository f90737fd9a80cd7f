import {
  IntercomError,
  isIntercomError,
  type Operation,
  type OperationInput,
  type OperationName,
  type OperationResult,
  operationOf,
} from "../protocol/index.ts";
import { backoffMs } from "./backoff.ts";
import { Deadline } from "./deadline.ts";
import { failure, failureReason } from "./failure.ts";
import { type BuiltRequest, buildRequest, type Credential } from "./request.ts";
import { readError, readResult } from "./response.ts";
import { sleep, systemTimers, type Timers } from "./timers.ts";

/** Where the daemon is and how to talk to it; shared by every client. */
export interface ConnectionOptions {
  /** Base address of the daemon, e.g. `http://127.0.0.1:4766`. */
  readonly address: string;
  /**
   * Milliseconds a call may take in total, retries included. Default 30 000; calls that wait get `waitMs` + 10 000, and
   * those that may take minutes (archives, backups, pruning) 600 000.
   */
  readonly timeoutMs?: number;
  /** How often one call is repeated by itself after a network failure or a refusal with `Retry-After`. Default 2. */
  readonly retries?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
  readonly timers?: Timers;
  /** Source of jitter, from 0 up to 1. */
  readonly random?: () => number;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a single call may override. */
export interface CallOptions {
  /** Milliseconds for the whole call, retries included. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Names this very action, so that repeating it is safe; a fresh UUID unless given. Only for operations that take a key. */
  readonly idempotencyKey?: string | undefined;
  /** Repetitions after a network failure or a refusal with `Retry-After`; never for operations that must not be repeated. */
  readonly retries?: number | undefined;
}

/** What a single transfer may override. */
export type TransferOptions = Pick<CallOptions, "timeoutMs" | "signal">;

/** What a request may carry. */
export type TransferBody = string | Blob | ReadableStream<Uint8Array>;

const DEFAULT_TIMEOUT_MS = 30_000;
const SLOW_TIMEOUT_MS = 600_000;
const WAIT_MARGIN_MS = 10_000;
const DEFAULT_RETRIES = 2;
const RETRY = { baseMs: 200, maxMs: 2_000 };

/** Carries operations of the table over HTTP on behalf of one credential. */
export class Transport {
  readonly connection: ConnectionOptions;
  readonly timers: Timers;
  readonly random: () => number;
  readonly #address: string;
  readonly #credential: () => Credential | undefined;

  /** @param credential Looked up for every call, so that it may change under a running client. */
  constructor(connection: ConnectionOptions, credential: () => Credential | undefined) {
    this.connection = connection;
    this.timers = connection.timers ?? systemTimers;
    this.random = connection.random ?? Math.random;
    this.#address = parseAddress(connection.address);
    this.#credential = credential;
  }

  /**
   * Calls one operation. Network failures and refusals with `Retry-After` are repeated with the same idempotency key
   * where the table says that this is safe.
   * @throws {IntercomError} The daemon's error, or `INTERNAL` with a {@link FailureReason} in `details.reason`.
   */
  async call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: CallOptions = {},
  ): Promise<OperationResult<N>> {
    const op = operationOf(name);
    const request = this.#build(op, input, options.idempotencyKey);
    const deadline = new Deadline(this.timers, this.#timeoutOf(op, input, options), options.signal);
    const retries = op.idempotency === "none" ? 0 : (options.retries ?? this.connection.retries ?? DEFAULT_RETRIES);
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (await readResult(await this.#send(request, deadline.signal), op)) as OperationResult<N>;
        } catch (error) {
          if (deadline.signal.aborted) throw deadline.error(name);
          const delay = attempt > retries ? undefined : this.#retryDelay(error, attempt);
          if (delay === undefined || delay >= deadline.remainingMs) throw error;
          await sleep(this.timers, delay, deadline.signal);
          if (deadline.signal.aborted) throw deadline.error(name);
        }
      }
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Opens an operation that answers with a stream of Server-Sent Events. The time limit covers the wait for its head only.
   * @throws {IntercomError} As {@link call} does.
   */
  async stream<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: { readonly signal: AbortSignal; readonly lastEventId?: string | undefined },
  ): Promise<ReadableStream<Uint8Array>> {
    const built = this.#build(operationOf(name), input, undefined);
    const headers: Record<string, string> = { ...built.headers, Accept: "text/event-stream" };
    if (options.lastEventId !== undefined) headers["Last-Event-ID"] = options.lastEventId;
    const deadline = new Deadline(this.timers, this.connection.timeoutMs ?? DEFAULT_TIMEOUT_MS, options.signal);
    try {
      const response = await this.#send({ ...built, headers }, deadline.signal);
      const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
      if (!response.ok || !isStream || response.body === null) throw await readError(response);
      return response.body;
    } catch (error) {
      throw deadline.signal.aborted ? deadline.error(name) : error;
    } finally {
      deadline.disarm();
    }
  }

  /**
   * Opens an operation that moves more than memory should hold, never repeated by itself. The deadline covers all of it:
   * dispose of it when the answer has been read.
   * @param body Replaces the input as what is sent.
   * @throws {IntercomError} As {@link call} does, where there was no answer.
   */
  async transfer<N extends OperationName>(
    name: N,
    input: unknown,
    { timeoutMs, signal }: TransferOptions,
    body?: TransferBody,
  ): Promise<{ readonly response: Response; readonly deadline: Deadline }> {
    const op = operationOf(name);
    const built = this.#build(op, input, undefined);
    const deadline = new Deadline(this.timers, this.#timeoutOf(op, input, { timeoutMs }), signal);
    try {
      const response = await this.#send(body === undefined ? built : { ...built, body }, deadline.signal);
      return { response, deadline };
    } catch (error) {
      deadline.dispose();
      throw deadline.signal.aborted ? deadline.error(name) : error;
    }
  }

  #build(op: Operation, input: unknown, idempotencyKey: string | undefined): BuiltRequest {
    const credential = op.authority === "none" ? undefined : this.#credential();
    return buildRequest(
      this.#address,
      op,
      (input ?? {}) as Readonly<Record<string, unknown>>,
      credential,
      idempotencyKey,
    );
  }

  async #send(request: Omit<BuiltRequest, "body"> & { body: TransferBody | undefined }, signal: AbortSignal) {
    const { url, method, headers, body } = request;
    // Browsers refuse a `fetch` that is called as somebody's method, hence the local name.
    const send: Fetch = this.connection.fetch ?? globalThis.fetch;
    // A redirect would hand the credential to whoever is named in it.
    const init: RequestInit & { duplex?: "half" } = { method, headers, signal, redirect: "manual" };
    if (body !== undefined) init.body = body;
    // What is sent piece by piece is sent before the answer is read; no other way exists yet.
    if (body instanceof ReadableStream) init.duplex = "half";
    try {
      return await send(url, init);
    } catch (error) {
      throw failure("network", `No answer from ${this.#address}`, error);
    }
  }

  #timeoutOf(op: Operation, input: unknown, options: CallOptions): number {
    const timeoutMs = options.timeoutMs ?? defaultTimeout(op, input) ?? this.connection.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    if (Number.isFinite(timeoutMs) && timeoutMs > 0) return timeoutMs;
    throw new IntercomError("INVALID_ARGUMENT", "timeoutMs: expected a positive number of milliseconds");
  }

  #retryDelay(error: unknown, attempt: number): number | undefined {
    if (failureReason(error) === "network") return backoffMs(attempt, RETRY, this.random);
    if (!isIntercomError(error, "BACKPRESSURE")) return undefined;
    const asked = error.details?.retryAfterMs;
    return typeof asked === "number" ? asked + backoffMs(1, RETRY, this.random) : undefined;
  }
}

function defaultTimeout(op: Operation, input: unknown): number | undefined {
  if (op.transfer || op.slow) return SLOW_TIMEOUT_MS;
  const waitMs = op.waits ? (input as { waitMs?: number } | undefined)?.waitMs : undefined;
  return waitMs ? waitMs + WAIT_MARGIN_MS : undefined;
}

function parseAddress(address: string): string {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new IntercomError("INVALID_ARGUMENT", "address: expected an http or https address");
  }
  return url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
}
