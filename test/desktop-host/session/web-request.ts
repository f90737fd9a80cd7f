import { Offered } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

export interface RequestDetails {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly resourceType: string;
  readonly webContentsId: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
}

export interface ResponseDetails extends RequestDetails {
  readonly statusCode: number;
  readonly responseHeaders: Readonly<Record<string, string[]>>;
}

interface BeforeRequest {
  readonly cancel?: boolean;
  readonly redirectURL?: string;
}

interface HeadersReceived {
  readonly cancel?: boolean;
  readonly responseHeaders?: Readonly<Record<string, string | string[]>>;
}

type Listener<Details, Answer> = (details: Details, callback: (answer: Answer) => void) => void;
type Filter = { readonly urls: readonly string[] };
interface Registered<Details, Answer> {
  readonly filter: Filter;
  readonly listener: Listener<Details, Answer>;
}

const everything: Filter = { urls: ["<all_urls>"] };

/** Electron's `session.webRequest`. As there, each event has one listener, and null removes it. */
class WebRequest extends Offered {
  #beforeRequest: Registered<RequestDetails, BeforeRequest> | undefined;
  #headersReceived: Registered<ResponseDetails, HeadersReceived> | undefined;

  onBeforeRequest(...args: RegisterArgs<RequestDetails, BeforeRequest>): void {
    this.#beforeRequest = registered("onBeforeRequest", args);
  }

  onHeadersReceived(...args: RegisterArgs<ResponseDetails, HeadersReceived>): void {
    this.#headersReceived = registered("onHeadersReceived", args);
  }

  /** What the app says about a request. Not a member of Electron's. */
  hostBeforeRequest(details: RequestDetails): Promise<BeforeRequest> {
    return ask(this.#beforeRequest, details, {});
  }

  /** What the app makes of an answer. Not a member of Electron's. */
  async hostHeadersReceived(
    details: ResponseDetails,
  ): Promise<{ cancel: boolean; responseHeaders: Readonly<Record<string, string | string[]>> }> {
    const { cancel = false, responseHeaders } = await ask(this.#headersReceived, details, {});
    return { cancel, responseHeaders: responseHeaders ?? details.responseHeaders };
  }

  get hostListensToHeaders(): boolean {
    return this.#headersReceived !== undefined;
  }
}

type RegisterArgs<Details, Answer> =
  | [listener: Listener<Details, Answer> | null]
  | [filter: Filter, listener: Listener<Details, Answer> | null];

function registered<Details, Answer>(
  method: string,
  args: RegisterArgs<Details, Answer>,
): Registered<Details, Answer> | undefined {
  const [filter, listener] = args.length === 1 ? ([everything, args[0]] as const) : args;
  recordings.add("webRequest", method, filter, listener);
  return listener ? { filter, listener } : undefined;
}

function ask<Details extends RequestDetails, Answer>(
  registration: Registered<Details, Answer> | undefined,
  details: Details,
  otherwise: Answer,
): Promise<Answer> {
  if (!registration?.filter.urls.some((pattern) => matches(pattern, details.url))) return Promise.resolve(otherwise);
  return new Promise((resolve) => registration.listener(details, resolve));
}

/** Match patterns as extensions know them; a star stands for anything. */
function matches(pattern: string, url: string): boolean {
  if (pattern === "<all_urls>") return true;
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  return new RegExp(`^${source}$`).test(url);
}

export type HostWebRequest = WebRequest;
export const makeWebRequest = (): HostWebRequest => new WebRequest();
