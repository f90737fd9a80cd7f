import type { OperationInput, OperationResult } from "../protocol/index.ts";
import {
  type FollowAllOptions,
  type FollowedEvent,
  type FollowOptions,
  followAllEvents,
  followScopeEvents,
} from "./event-stream.ts";
import { operationsFor } from "./methods.ts";
import { type FollowedOutput, type FollowOutputOptions, followOutput } from "./output-stream.ts";
import type { Credential } from "./request.ts";
import type { Timers } from "./timers.ts";
import { type Archive, download, downloadArchive, uploadArchive } from "./transfer.ts";
import { type ConnectionOptions, type TransferOptions, Transport } from "./transport.ts";

/** The daemon's own credential. */
export interface AdminToken {
  readonly adminToken: string;
}

/** In a page that the daemon serves: the session of the browser it is in. */
export interface BrowserSession {
  /** What signing in gave beside the cookie. Asked for before every call; undefined while nobody is signed in. */
  readonly sessionProof: () => string | undefined;
}

export type AdminClientOptions = ConnectionOptions & (AdminToken | BrowserSession);

/** Either a scope's own token, or what the admin has, acting as owner of one scope. */
export type ScopeClientOptions = ConnectionOptions &
  ({ readonly scopeToken: string } | ((AdminToken | BrowserSession) & { readonly scopeId: string }));

export interface AgentClientOptions extends ConnectionOptions {
  /** A function is asked before every call, so the token may change. */
  readonly agentToken: string | (() => string);
}

export interface ConnectorClientOptions extends ConnectionOptions {
  readonly connectorToken: string;
}

const AdminOperations = operationsFor("admin");
const ScopeOperations = operationsFor("scope", "scope-or-agent", "output-read");
const AgentOperations = operationsFor("agent", "agent-expired-ok", "scope-or-agent", "output-publish");
const ConnectorOperations = operationsFor("connector");

/** The daemon's own credential: its lifecycle, and every scope. */
export class AdminClient extends AdminOperations {
  readonly #transport: Transport;
  readonly #admin: AdminToken | BrowserSession;

  constructor(options: AdminClientOptions) {
    const transport = new Transport(connectionOf(options), adminCredential(options));
    super(transport);
    this.#transport = transport;
    this.#admin = options;
  }

  /** A client that acts as the owner of `scopeId`, which need not exist yet. */
  scope(scopeId: string): ScopeClient {
    return new ScopeClient({ ...this.#transport.connection, ...authorityOf(this.#admin), scopeId });
  }

  /**
   * Follows the events of every scope, across daemon restarts, until `signal` aborts or the loop is left.
   * Without `after` it begins with what happens next. `{resync: true}` says that events are missing: read the resources
   * again; what follows continues after its `sequence`.
   * @throws {IntercomError} When the daemon refuses the credential or the request.
   */
  followEvents(options: FollowAllOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    const newest = async (signal: AbortSignal | undefined) => (await this.overview({}, { signal })).eventSequence;
    return followAllEvents({ newest, open: (after, signal) => this.#open(after, signal) }, this.#transport, options);
  }

  /**
   * A copy of the daemon's whole database, piece by piece, as it is when the call begins. It holds hashes of credentials:
   * keep it as safe as the data. Leave the loop early to end the transfer. Default `timeoutMs` for all of it: 600 000.
   * @throws {IntercomError} Also in the middle, when the connection breaks: what came before is then worth nothing.
   */
  backup(options: TransferOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    return download(this.#transport, "backup", {}, options);
  }

  /**
   * What {@link exportScope} gives, as bytes of JSON piece by piece: for archives larger than memory should hold. Default
   * `timeoutMs` for all of it: 600 000.
   * @throws {IntercomError} As {@link backup} does.
   */
  exportScopeStream(
    input: OperationInput<"exportScope">,
    options: TransferOptions = {},
  ): AsyncGenerator<Uint8Array, void, undefined> {
    return downloadArchive(this.#transport, input, options);
  }

  /**
   * The same as {@link importScope}, from bytes of JSON. Browsers want a `Blob`, such as a file that was chosen: they cannot
   * send a stream. Not repeated by itself; doing so is safe. Default `timeoutMs` for all of it: 600 000.
   * @throws {IntercomError} When the daemon refuses the archive, or cannot be reached.
   */
  importScopeStream(archive: Archive, options: TransferOptions = {}): Promise<OperationResult<"importScope">> {
    return uploadArchive(this.#transport, archive, options);
  }

  #open(after: number, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.stream("watchAllEvents", {}, { signal, lastEventId: String(after) });
  }
}

/** The owner of one scope. */
export class ScopeClient extends ScopeOperations {
  readonly #transport: Transport;

  constructor(options: ScopeClientOptions) {
    const transport = new Transport(
      connectionOf(options),
      "scopeToken" in options
        ? () => ({ token: options.scopeToken, scopeId: undefined })
        : adminCredential(options, options.scopeId),
    );
    super(transport);
    this.#transport = transport;
  }

  /** Clock and randomness of this client, for what is built on it. */
  get pace(): { readonly timers: Timers; readonly random: () => number } {
    return this.#transport;
  }

  /** A client for an agent of the same daemon. */
  agent(agentToken: string | (() => string)): AgentClient {
    return new AgentClient({ ...this.#transport.connection, agentToken });
  }

  /**
   * Follows the events of this scope like {@link AdminClient.followEvents}; `sequence` is the event's revision in the scope.
   * @throws {IntercomError} When the daemon refuses the credential or the request.
   */
  followEvents(options: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    return followScopeEvents(this.listEvents, this.#transport, options);
  }

  /**
   * Follows the values of one of the scope's output streams like {@link OutputClient.follow}.
   * @throws {IntercomError} When the daemon refuses the credential or the request.
   */
  followOutput(options: FollowOutputOptions): AsyncGenerator<FollowedOutput, void, undefined> {
    return followOutput(this.listOutputValues, this.#transport, options);
  }
}

/** One execution of one agent. {@link AgentSession} keeps its lease alive. */
export class AgentClient extends AgentOperations {
  constructor({ agentToken, ...connection }: AgentClientOptions) {
    const token = typeof agentToken === "string" ? () => agentToken : agentToken;
    super(new Transport(connection, () => ({ token: token(), scopeId: undefined })));
  }
}

/** A configuration of an MCP client. {@link AgentSession.connect} keeps the agent it becomes. */
export class ConnectorClient extends ConnectorOperations {
  readonly #transport: Transport;

  constructor({ connectorToken, ...connection }: ConnectorClientOptions) {
    const transport = new Transport(connection, () => ({ token: connectorToken, scopeId: undefined }));
    super(transport);
    this.#transport = transport;
  }

  /** Clock and randomness of this client, for what is built on it. */
  get pace(): { readonly timers: Timers; readonly random: () => number } {
    return this.#transport;
  }

  /** A client for an agent of the same daemon. */
  agent(agentToken: string | (() => string)): AgentClient {
    return new AgentClient({ ...this.#transport.connection, agentToken });
  }
}

/** How the admin is known, and nothing else of what it was given with. */
function authorityOf(admin: AdminToken | BrowserSession): AdminToken | BrowserSession {
  return "adminToken" in admin ? { adminToken: admin.adminToken } : { sessionProof: admin.sessionProof };
}

function adminCredential(admin: AdminToken | BrowserSession, scopeId?: string): () => Credential {
  if ("adminToken" in admin) return () => ({ token: admin.adminToken, scopeId });
  return () => ({ sessionProof: admin.sessionProof(), scopeId });
}

/** Credentials are left behind: they must not travel on into clients of another authority. */
function connectionOf({ address, timeoutMs, retries, fetch, timers, random }: ConnectionOptions): ConnectionOptions {
  return {
    address,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined ? {} : { retries }),
    ...(fetch === undefined ? {} : { fetch }),
    ...(timers === undefined ? {} : { timers }),
    ...(random === undefined ? {} : { random }),
  };
}
