import { EventStream } from "./sse.ts";
import { until } from "./waiting.ts";

export interface RpcMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface RpcReply {
  readonly status: number;
  readonly sessionId: string | null;
  /** What came, the answer last. */
  readonly messages: readonly RpcMessage[];
  readonly answer: RpcMessage | undefined;
}

/** A client of the older era without an SDK: what it does is what the test says. */
export class RawSession {
  readonly token: string;
  /** Changes when the daemon is restarted. */
  readonly #address: () => string;
  readonly #query: string;
  id: string | undefined;
  #nextId = 1;

  constructor(address: () => string, token: string, query = "") {
    this.#address = address;
    this.token = token;
    this.#query = query;
  }

  get #url(): string {
    return `${this.#address()}/mcp${this.#query}`;
  }

  get headers(): Record<string, string> {
    return {
      Authorization: `Bearer ${this.token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(this.id === undefined ? {} : { "Mcp-Session-Id": this.id }),
    };
  }

  async initialize(
    capabilities: Record<string, unknown> = {},
    clientInfo = { name: "raw", version: "1" },
  ): Promise<RpcReply> {
    const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
    const reply = await this.ask("initialize", params);
    this.id = reply.sessionId ?? undefined;
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return reply;
  }

  ask(
    method: string,
    params: Record<string, unknown> = {},
    onMessage: (message: RpcMessage) => void = () => {},
    signal?: AbortSignal,
  ): Promise<RpcReply> {
    return this.post({ jsonrpc: "2.0", id: this.#nextId++, method, params }, onMessage, signal);
  }

  /** Calls a tool and gives its structured content. @throws for an error of the protocol */
  async call(
    name: string,
    args: Record<string, unknown> = {},
    meta: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    const { status, answer } = await this.ask("tools/call", { name, arguments: args, _meta: meta });
    if (!answer?.result) throw new Error(`${name}: ${status} ${JSON.stringify(answer)}`);
    return answer.result.structuredContent as Record<string, unknown>;
  }

  async post(
    message: object,
    onMessage: (message: RpcMessage) => void = () => {},
    signal?: AbortSignal,
  ): Promise<RpcReply> {
    const { headers } = this;
    const body = JSON.stringify(message);
    const response = await fetch(this.#url, { method: "POST", headers, body, ...(signal ? { signal } : {}) });
    const messages: RpcMessage[] = [];
    const take = (text: string) => {
      const parsed = JSON.parse(text) as RpcMessage;
      messages.push(parsed);
      onMessage(parsed);
    };
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      let rest = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        rest += decoder.decode(chunk, { stream: true });
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) if (line.startsWith("data: ")) take(line.slice("data: ".length));
      }
    } else {
      const text = await response.text();
      if (text !== "") take(text);
    }
    const sessionId = response.headers.get("mcp-session-id");
    return { status: response.status, sessionId, messages, answer: messages.at(-1) };
  }

  /** Listens; resolves once the daemon has answered. */
  async listen(): Promise<Listening> {
    const controller = new AbortController();
    const response = await fetch(this.#url, { headers: this.headers, signal: controller.signal });
    return new Listening(response, controller);
  }

  async delete(): Promise<number> {
    return (await fetch(this.#url, { method: "DELETE", headers: this.headers })).status;
  }
}

/** A stream on which a daemon tells what it was not asked. */
export class Listening {
  readonly status: number;
  readonly stream: EventStream;

  constructor(response: Response, controller: AbortController) {
    this.status = response.status;
    this.stream = EventStream.of(response, controller);
  }

  get messages(): RpcMessage[] {
    return this.stream.items.map(({ data }) => data as RpcMessage);
  }

  /** Addresses of resources it was told of, each once. */
  get changed(): string[] {
    const told = this.messages.filter(({ method }) => method === "notifications/resources/updated");
    return [...new Set(told.map(({ params }) => params?.uri as string))].sort();
  }

  /** Waits until it has been told of all of these. */
  async toldOf(...uris: string[]): Promise<void> {
    await until(`news of ${uris.join(", ")}`, () => uris.every((uri) => this.changed.includes(uri)));
  }

  close(): void {
    this.stream.close();
  }
}
