import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../client/backoff.ts";
import type { Frame } from "./frames.ts";
import { type Destination, type OnMessage, type Outcome, send } from "./wire.ts";

/** Where a modern client says which revision of MCP a message speaks; at HTTP that travels in headers too. */
const VERSION_META = "io.modelcontextprotocol/protocolVersion";

/** How soon to listen again after a stream has ended. */
const AGAIN = { baseMs: 200, maxMs: 5000 };

/**
 * The session that an older client has with the daemon, by way of the front. Gone on with when the daemon was restarted,
 * begun anew when it is gone: the client notices neither.
 */
export class DaemonSession {
  readonly #destination: () => Promise<Destination>;
  readonly #onMessage: OnMessage;
  readonly #ended = new AbortController();
  readonly #subscribed = new Set<string>();
  #id: string | undefined;
  #version: string | undefined;
  #initialize: Frame | undefined;
  #listening = false;

  /** @param onMessage takes what the daemon says without having been asked */
  constructor(destination: () => Promise<Destination>, onMessage: OnMessage) {
    this.#destination = destination;
    this.#onMessage = onMessage;
  }

  /** What a message has to travel with. */
  headersFor({ method, params }: Frame): Record<string, string> {
    const version = (params?._meta as Record<string, unknown> | undefined)?.[VERSION_META];
    if (typeof version !== "string" || typeof method !== "string")
      return method === "initialize" ? {} : this.#headers();
    const name = params?.name ?? params?.uri;
    return {
      "MCP-Protocol-Version": version,
      "Mcp-Method": method,
      ...(typeof name === "string" ? { "Mcp-Name": name } : {}),
    };
  }

  #headers(): Record<string, string> {
    return {
      ...(this.#id === undefined ? {} : { "Mcp-Session-Id": this.#id }),
      ...(this.#version === undefined ? {} : { "MCP-Protocol-Version": this.#version }),
    };
  }

  /** Remembers what has to be said again in another session. */
  sent({ method, params }: Frame): void {
    if (method === "notifications/initialized") void this.#listen();
    if (typeof params?.uri !== "string") return;
    if (method === "resources/subscribe") this.#subscribed.add(params.uri);
    if (method === "resources/unsubscribe") this.#subscribed.delete(params.uri);
  }

  began(initialize: Frame, answer: Frame | undefined, id: string | undefined): void {
    this.#initialize = initialize;
    this.#id = id;
    const version = (answer as { result?: { protocolVersion?: unknown } } | undefined)?.result?.protocolVersion;
    this.#version = typeof version === "string" ? version : undefined;
  }

  /** Begins another session in the place of one that is gone. False where there was none. */
  async renew(signal: AbortSignal): Promise<boolean> {
    const initialize = this.#initialize;
    if (!initialize) return false;
    const destination = await this.#destination();
    let answer: Frame | undefined;
    const outcome = await send(destination, {
      headers: {},
      frame: initialize,
      signal,
      onMessage: (_text, message) => {
        answer = message;
      },
    });
    if (outcome.kind !== "done") return false;
    this.began(initialize, answer, outcome.sessionId);
    const frame = { jsonrpc: "2.0", method: "notifications/initialized" };
    await send(destination, { headers: this.#headers(), frame, signal, onMessage: () => {} });
    return true;
  }

  end(): void {
    this.#ended.abort();
  }

  /** Passes on what the daemon says unasked. Nothing is started for its sake: where there is no daemon, it is silent. */
  async #listen(): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    const { signal } = this.#ended;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        const destination = await this.#destination();
        const onMessage: OnMessage = (text, message) => {
          failures = 0;
          this.#onMessage(text, message);
        };
        const outcome = await this.#hear(destination, signal, onMessage);
        if (outcome.kind === "no-session") await this.renew(signal);
      } catch {
        // Whatever it is, the next call of the client meets it as well, and says so.
      }
      await sleep(backoffMs(failures + 1, AGAIN, Math.random), undefined, { signal }).catch(() => {});
    }
  }

  /**
   * Listens until the stream ends. The daemon does not remember over a restart what it was to tell of, so that is said first,
   * in the same session; where it cannot be said there is no listening, which would hear of nothing.
   */
  async #hear(destination: Destination, signal: AbortSignal, onMessage: OnMessage): Promise<Outcome> {
    const headers = this.#headers();
    for (const uri of this.#subscribed) {
      const frame = { jsonrpc: "2.0", id: `front:${uri}`, method: "resources/subscribe", params: { uri } };
      const outcome = await send(destination, { headers, frame, signal, onMessage: () => {} });
      if (outcome.kind !== "done") return outcome;
    }
    return send(destination, { headers, signal, onMessage });
  }
}
