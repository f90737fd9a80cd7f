import { type McpServer, type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { SessionView } from "./application.ts";
import type { SessionClaims } from "./session-ids.ts";

/** A session as long as the daemon keeps it in memory: one server and the transport it speaks through. */
export class Session implements SessionView {
  readonly id: string;
  readonly guestKey: string;
  readonly claims: SessionClaims;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #closed = new AbortController();
  /** Requests that are being answered, streams among them. */
  busy = 0;
  lastUsedAt: number;

  private constructor(id: string, guestKey: string, claims: SessionClaims, now: number) {
    this.id = id;
    this.guestKey = guestKey;
    this.claims = claims;
    this.lastUsedAt = now;
    this.#transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
  }

  /** A session whose first message, `initialize`, is yet to come. */
  static async open(
    id: string,
    guestKey: string,
    claims: SessionClaims,
    now: number,
    serverFor: (session: SessionView) => Server | McpServer,
  ): Promise<Session> {
    const session = new Session(id, guestKey, claims, now);
    await serverFor(session).connect(session.#transport);
    return session;
  }

  /** Brings a session back that this daemon does not remember, to where it was after its first messages. */
  async resume(url: string): Promise<void> {
    const { protocolVersion, elicits, clientName: name, clientVersion: version } = this.claims;
    const capabilities = elicits ? { elicitation: { form: {} } } : {};
    const params = { protocolVersion, capabilities, clientInfo: { name, version } };
    const messages = [
      { jsonrpc: "2.0", id: "resume", method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ];
    for (const message of messages) {
      const headers = {
        Accept: "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Mcp-Session-Id": this.id,
      };
      const answer = await this.handle(new Request(url, { method: "POST", headers }), message);
      if (answer.status >= 400) throw new Error(`a session could not be resumed: ${await answer.text()}`);
      await answer.body?.cancel();
    }
  }

  get key(): string {
    return this.claims.key;
  }

  get client(): SessionView["client"] {
    return { name: this.claims.clientName, version: this.claims.clientVersion };
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  handle(request: Request, parsedBody?: unknown): Promise<Response> {
    return this.#transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
  }

  /** Ends its streams and whatever is still running in it. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#transport.close();
  }
}
