import { CheckFailure, type RecordedRequest } from "../core/failure.ts";
import type { Secrets } from "../core/secrets.ts";
import { shorten } from "../core/shorten.ts";

/** A little more than the longest wait the protocol knows. */
const ANSWER_WITHIN_MS = 30_000;

/** One request and how it was answered. */
export interface Exchange {
  readonly method: string;
  /** Path without query, and the template it was made from where there is one. */
  readonly path: string;
  readonly template: string | undefined;
  readonly status: number;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Path template of the operation, for whoever counts what was called. */
  readonly template?: string | undefined;
}

export interface Answer {
  readonly request: RecordedRequest;
  readonly status: number;
  readonly headers: Headers;
  /** JSON where it is JSON, otherwise text, undefined when empty. */
  readonly body: unknown;
}

/** Sends requests as they are and remembers the last one. */
export class HttpClient {
  readonly address: string;
  /** The last request that was answered, or that failed; undefined when the check has sent none. */
  last: { readonly request: RecordedRequest; readonly answer: Answer | undefined } | undefined;
  readonly #secrets: Secrets;
  readonly #signal: AbortSignal;
  readonly #onExchange: ((exchange: Exchange) => void) | undefined;

  constructor(
    address: string,
    secrets: Secrets,
    signal: AbortSignal,
    onExchange?: ((exchange: Exchange) => void) | undefined,
  ) {
    this.address = address.replace(/\/+$/, "");
    this.#secrets = secrets;
    this.#signal = signal;
    this.#onExchange = onExchange;
  }

  /** @throws {CheckFailure} when there is no answer */
  async send(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const request = this.note(method, path, body);
    const response = await this.open(request, body, options);
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw this.#noAnswer(request, error);
    }
    return this.#accept(request, response, text, options.template);
  }

  /** Sends a request and leaves reading the answer to the caller. @throws {CheckFailure} when there is no answer */
  async open(request: RecordedRequest, body: unknown, options: CallOptions): Promise<Response> {
    const { token, headers = {} } = options;
    const signals = [this.#signal, AbortSignal.timeout(ANSWER_WITHIN_MS)];
    if (options.signal) signals.push(options.signal);
    const url = /^https?:/.test(request.path) ? request.path : this.address + request.path;
    try {
      return await fetch(url, {
        method: request.method,
        headers: {
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        redirect: "manual",
        signal: AbortSignal.any(signals),
      });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw this.#noAnswer(request, error);
    }
  }

  /** Records a request that is about to be made. */
  note(method: string, path: string, body?: unknown): RecordedRequest {
    const request: RecordedRequest = { method, path, ...(body === undefined ? {} : { body: shorten(body) }) };
    this.last = { request, answer: undefined };
    return request;
  }

  /** Tells whoever counts what was called. */
  seen({ method, path }: RecordedRequest, template: string | undefined, status: number): void {
    this.#onExchange?.({ method, path: path.split("?")[0] as string, template, status });
  }

  #accept(request: RecordedRequest, response: Response, text: string, template: string | undefined): Answer {
    const body = text === "" ? undefined : parse(text);
    this.#secrets.learn(body);
    const answer: Answer = { request, status: response.status, headers: response.headers, body };
    this.last = { request, answer };
    this.seen(request, template, response.status);
    return answer;
  }

  #noAnswer(request: RecordedRequest, error: unknown): CheckFailure {
    return new CheckFailure("There was no answer", { request, expected: "an answer", got: reasonOf(error) });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** fetch hides why it failed in a chain of causes. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}
