import {
  createMcpHandler,
  InMemoryServerEventBus,
  isJsonContentType,
  isLegacyRequest,
  type McpHttpHandler,
  type McpServer,
  type Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { IntercomError, isIntercomError } from "../../../protocol/index.ts";
import { type MountedRequest, readJson } from "../../http/index.ts";
import type { Application, Guest, Visit } from "./application.ts";
import { claimsModern, initializeClaims, isInitialize, isListen } from "./messages.ts";
import type { Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import { refusal, SESSION_HEADER, toWebRequest } from "./web-request.ts";

/** An answer, and what to do once it has been sent or its reader has gone. */
export interface Served {
  readonly answer: Response;
  done(): void;
}

/** How long calls may still be answered when the daemon stops, ms. */
const LAST_ANSWERS_MS = 2000;
const NO_SESSION = "There is no such session, or it has been ended; initialize a new one";

/**
 * Answers MCP requests of both eras at one address. Those of 2026-07-28 stand for themselves. Older clients get a session
 * when they initialize; a request of theirs that names none stands for itself, too.
 */
export class Serving<G extends Guest> {
  readonly #application: Application<G>;
  readonly #sessions: Sessions;
  readonly #visits = new WeakMap<Request, Visit<G>>();
  readonly #modern: McpHttpHandler;
  readonly #listening = new Set<McpHttpHandler>();
  /** Calls that are being answered, and when there are none. */
  #calls = 0;
  #idle = Promise.withResolvers<void>();

  constructor(application: Application<G>, sessions: Sessions) {
    this.#application = application;
    this.#sessions = sessions;
    // Streams for listening have a handler each: what one party may hear is not for others.
    this.#modern = createMcpHandler(this.#factory, { legacy: "reject", maxSubscriptions: 0 });
  }

  /** @throws {IntercomError} UNAUTHENTICATED, before anything else of the request is looked at */
  async serve(mounted: MountedRequest): Promise<Served> {
    const guest = await this.#application.admit(mounted);
    switch (mounted.request.method) {
      case "POST":
        return this.#post(mounted, guest);
      case "GET":
      case "DELETE":
        return this.#sessionRequest(mounted, guest);
      default:
        throw methodNotAllowed();
    }
  }

  /**
   * Ends every stream and session once running calls have been answered; clients may go on with their sessions at the next
   * daemon.
   */
  async close(): Promise<void> {
    if (this.#calls > 0) {
      const { promise: tooLate, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LAST_ANSWERS_MS);
      await Promise.race([this.#idle.promise, tooLate]);
      clearTimeout(timer);
    }
    const handlers = [this.#modern, ...this.#listening];
    await Promise.all([this.#sessions.close(), ...handlers.map((handler) => handler.close())]);
  }

  async #post(mounted: MountedRequest, guest: G): Promise<Served> {
    if (!isJsonContentType(mounted.request.headers["content-type"])) {
      return plain(refusal(415, -32000, "Content-Type: expected application/json"));
    }
    let body: unknown;
    try {
      body = await readJson(mounted.request);
    } catch (error) {
      if (!isIntercomError(error, "INVALID_ARGUMENT")) throw error;
      return plain(
        error.details?.reason === "too_large"
          ? refusal(413, -32000, error.message)
          : refusal(400, -32700, error.message),
      );
    }
    if (body === undefined) return plain(refusal(400, -32700, "The body is empty; expected a JSON-RPC message"));
    const request = toWebRequest(mounted);
    if (claimsModern(body) || !(await isLegacyRequest(request, body)))
      return this.#answerModern(mounted, guest, request, body);
    if (isInitialize(body)) return this.#initialize(mounted, guest, request, body);
    const id = sessionIdOf(mounted);
    if (id === undefined) return this.#answerOnce(mounted, guest, request, body);
    const session = await this.#find(mounted, guest, id, request);
    if (!session) return plain(refusal(404, -32001, NO_SESSION));
    return this.#inSession(session, { mounted, guest, session, kind: "call" }, request, body);
  }

  async #sessionRequest(mounted: MountedRequest, guest: G): Promise<Served> {
    const id = sessionIdOf(mounted);
    // Without a session there is nothing to listen to, and nothing to end.
    if (id === undefined) throw methodNotAllowed();
    const request = toWebRequest(mounted);
    const session = await this.#find(mounted, guest, id, request);
    if (!session) return plain(refusal(404, -32001, NO_SESSION));
    if (request.method === "DELETE") {
      await this.#sessions.end(session);
      this.#application.sessionEnded?.(guest, session.key);
      return plain(new Response(null, { status: 204 }));
    }
    return this.#inSession(session, { mounted, guest, session, kind: "stream" }, request);
  }

  #find(mounted: MountedRequest, guest: G, id: string, request: Request): Promise<Session | undefined> {
    return this.#sessions.find(guest.key, id, request.url, (session) =>
      this.#createServer({ mounted, guest, session, kind: "call" }),
    );
  }

  async #initialize(mounted: MountedRequest, guest: G, request: Request, body: unknown): Promise<Served> {
    const session = await this.#sessions.open(guest.key, initializeClaims(body), (view) =>
      this.#createServer({ mounted, guest, session: view, kind: "call" }),
    );
    return this.#inSession(session, { mounted, guest, session, kind: "call" }, request, body);
  }

  async #inSession(session: Session, visit: Visit<G>, request: Request, body?: unknown): Promise<Served> {
    const done = this.#arrive(visit, request);
    session.busy += 1;
    const left = () => {
      session.busy -= 1;
      done();
    };
    try {
      return { answer: await session.handle(request, body), done: left };
    } catch (error) {
      left();
      throw error;
    }
  }

  async #answerModern(mounted: MountedRequest, guest: G, request: Request, body: unknown): Promise<Served> {
    if (isListen(body)) return this.#listen({ mounted, guest, session: undefined, kind: "stream" }, request, body);
    const done = this.#arrive({ mounted, guest, session: undefined, kind: "call" }, request);
    try {
      return { answer: await this.#modern.fetch(request, { parsedBody: body }), done };
    } catch (error) {
      done();
      throw error;
    }
  }

  async #listen(visit: Visit<G>, request: Request, body: unknown): Promise<Served> {
    const left = this.#arrive(visit, request);
    const handler = createMcpHandler(this.#factory, { legacy: "reject", bus: new InMemoryServerEventBus() });
    const over = new AbortController();
    const done = () => {
      over.abort();
      this.#listening.delete(handler);
      left();
    };
    this.#listening.add(handler);
    try {
      this.#application.listen?.(visit, handler.notify, over.signal);
      return { answer: await handler.fetch(request, { parsedBody: body }), done };
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Of a version before 2026-07-28, without a session: one plain JSON answer. */
  async #answerOnce(mounted: MountedRequest, guest: G, request: Request, body: unknown): Promise<Served> {
    const visit: Visit<G> = { mounted, guest, session: undefined, kind: "call" };
    const done = this.#arrive(visit, request);
    const server = this.#createServer(visit);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    const { promise: gone, resolve } = Promise.withResolvers<Response>();
    const onAbort = () => {
      // Aborts the tools that are running. The transport itself never learns that the caller is gone.
      void server.close();
      resolve(new Response(null, { status: 499 }));
    };
    try {
      await server.connect(transport);
      request.signal.addEventListener("abort", onAbort, { once: true });
      if (request.signal.aborted) onAbort();
      return { answer: await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone]), done };
    } catch (error) {
      done();
      throw error;
    } finally {
      request.signal.removeEventListener("abort", onAbort);
      await server.close();
    }
  }

  #arrive(visit: Visit<G>, request: Request): () => void {
    this.#visits.set(request, visit);
    const left = this.#application.arrived?.(visit);
    if (visit.kind === "stream") return () => left?.();
    if (this.#calls === 0) this.#idle = Promise.withResolvers();
    this.#calls += 1;
    return () => {
      this.#calls -= 1;
      if (this.#calls === 0) this.#idle.resolve();
      left?.();
    };
  }

  readonly #factory = ({ requestInfo }: { readonly requestInfo?: Request }): Server | McpServer =>
    this.#createServer(this.#visitFor(requestInfo));

  #createServer(visit: Visit<G>): Server | McpServer {
    return this.#application.createServer(visit, this.#visitOf);
  }

  readonly #visitOf = (context: ServerContext): Visit<G> => this.#visitFor(context.http?.req);

  #visitFor(request: Request | undefined): Visit<G> {
    const visit = request && this.#visits.get(request);
    if (!visit) throw new Error("the SDK asked about a request that is not being answered");
    return visit;
  }
}

function plain(answer: Response): Served {
  return { answer, done: () => {} };
}

function sessionIdOf({ request }: MountedRequest): string | undefined {
  const id = request.headers[SESSION_HEADER];
  return typeof id === "string" && id !== "" ? id : undefined;
}

function methodNotAllowed(): IntercomError {
  const allow = ["POST", "GET", "DELETE"];
  return new IntercomError("METHOD_NOT_ALLOWED", "Expected POST, or with a session GET or DELETE", { allow });
}
