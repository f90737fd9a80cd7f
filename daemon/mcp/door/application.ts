import type { McpServer, Server, ServerContext, ServerNotifier } from "@modelcontextprotocol/server";
import type { MountedRequest } from "../../http/index.ts";

/** Somebody who was let in. */
export interface Guest {
  /** The same for all credentials of one party. A session belongs to the party that opened it. */
  readonly key: string;
}

/** What a session is to those who serve it. */
export interface SessionView {
  /** Names the session, also after the daemon has been restarted. */
  readonly key: string;
  /** What its client says it is. */
  readonly client: { readonly name: string; readonly version: string };
  /** Aborts when the session is over, or no longer kept. */
  readonly closed: AbortSignal;
}

/** One request on its way through the door. */
export interface Visit<G extends Guest = Guest> {
  readonly mounted: MountedRequest;
  readonly guest: G;
  /** Absent: the request stands for itself. */
  readonly session: SessionView | undefined;
  /** A call, or a stream on which the client listens for as long as it likes. */
  readonly kind: "call" | "stream";
}

/** What is served behind the door. The door knows transports, sessions and eras, and nothing of what is said. */
export interface Application<G extends Guest = Guest> {
  /** @throws {IntercomError} UNAUTHENTICATED */
  admit(mounted: MountedRequest): Promise<G>;
  /**
   * A server for one request, or for every request of a session.
   * @param first the request it is made for
   * @param visitOf the request a handler is answering; the same function for every server
   */
  createServer(first: Visit<G>, visitOf: (context: ServerContext) => Visit<G>): Server | McpServer;
  /** Listens on behalf of a client of the modern era, who is told what it asked for. Absent: nobody hears anything. */
  listen?(visit: Visit<G>, tell: ServerNotifier, signal: AbortSignal): void;
  /** A request has come; what is returned is called when it has been answered. */
  arrived?(visit: Visit<G>): () => void;
  /** The client has ended its session. */
  sessionEnded?(guest: G, sessionKey: string): void;
}
