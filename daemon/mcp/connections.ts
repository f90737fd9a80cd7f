import type { ConnectorCaller, Credentials } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import type { Logger } from "../runtime/index.ts";
import { Connection } from "./connection.ts";
import type { Visit } from "./door/index.ts";
import type { ClientHints, IntercomGuest } from "./guests.ts";
import type { ToolSet } from "./tool.ts";

/** How often connections are looked after, ms. */
const LOOK_MS = 5000;
/** A client that listened and has hung up is gone after so long, ms; until then it may be listening anew. */
const GONE_MS = 15_000;
/** A client that never listened may be thinking for so long before it counts as gone, ms. */
const SILENT_MS = 900_000;

/** A session of a client, as far as it says which connection it belongs to and whether anybody is there. */
interface Presence {
  /** Which connection its calls are made in. */
  connection: string;
  /** Streams on which it listens. */
  streams: number;
  /** Calls that are being answered. */
  calls: number;
  /** Since when none has been open, though one was, ms since the epoch. */
  hungUpAt: number | undefined;
  /** Instant of the last request in it, ms since the epoch. */
  usedAt: number;
}

/**
 * Makes agents of clients that hold connectors: one for each conversation or session they tell of, kept while the client
 * lives, released when it is gone.
 */
export class Connections {
  readonly #engine: Engine;
  readonly #logger: Logger;
  readonly #connections = new Map<string, Connection>();
  readonly #sessions = new Map<string, Presence>();
  readonly #timer: NodeJS.Timeout;
  #lookedAt = 0;

  constructor(engine: Engine, logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Stops looking after them. Executions go on until their leases end: the next daemon may find the clients there. */
  close(): void {
    clearInterval(this.#timer);
  }

  /** The holder of a connector. */
  guest({ connectorNo, scope }: ConnectorCaller, credentials: Credentials, toolSet: ToolSet): IntercomGuest {
    const key = `connector:${connectorNo}`;
    const within = (name: string) => `${key}:${name}`;
    return {
      key,
      toolSet,
      memberFor: (visit, hints) => {
        const session = this.#sessionNameOf(visit, hints, within);
        let connection = this.#connections.get(within(session));
        if (!connection) {
          const { linkPolicy } = scope;
          connection = new Connection({ engine: this.#engine, session, linkPolicy, hints }, credentials);
          this.#connections.set(within(session), connection);
        }
        connection.usedAt = this.#engine.clock.now();
        connection.connector = credentials;
        return connection;
      },
      arrived: (visit) => this.#arrived(visit, within),
      sessionEnded: (sessionKey) => this.#sessionEnded(within(sessionKey)),
    };
  }

  /** What tells this window from others: its conversation, else its session, else only which client it is. */
  #sessionNameOf(
    { session }: Visit<IntercomGuest>,
    { threadId, name }: ClientHints,
    within: (name: string) => string,
  ): string {
    const own = threadId === undefined ? undefined : `thread:${threadId}`;
    if (!session) return own ?? `client:${name ?? ""}`;
    const presence = this.#presenceOf(within(session.key));
    // A session that has once named its conversation is in it, also when it merely listens.
    if (own) presence.connection = within(own);
    if (presence.connection === "") presence.connection = within(`session:${session.key}`);
    return presence.connection.slice(within("").length);
  }

  #presenceOf(key: string): Presence {
    let presence = this.#sessions.get(key);
    const usedAt = this.#engine.clock.now();
    if (!presence) {
      presence = { connection: "", streams: 0, calls: 0, hungUpAt: undefined, usedAt };
      this.#sessions.set(key, presence);
    }
    presence.usedAt = usedAt;
    return presence;
  }

  #arrived({ kind, session }: Visit<IntercomGuest>, within: (name: string) => string): () => void {
    this.#look();
    if (!session) return () => {};
    const presence = this.#presenceOf(within(session.key));
    if (kind === "call") {
      presence.calls += 1;
      return () => {
        presence.calls -= 1;
        const connection = this.#connections.get(presence.connection);
        if (connection) connection.usedAt = this.#engine.clock.now();
      };
    }
    presence.streams += 1;
    presence.hungUpAt = undefined;
    return () => {
      presence.streams -= 1;
      if (presence.streams === 0) presence.hungUpAt = this.#engine.clock.now();
    };
  }

  #sessionEnded(key: string): void {
    const presence = this.#sessions.get(key);
    this.#sessions.delete(key);
    if (presence) this.#release(presence.connection);
  }

  /** Renews the executions of those who are there, and ends those of clients that are gone. */
  #look(): void {
    const now = this.#engine.clock.now();
    if (now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const busy = new Set<string>();
    const hungUp = new Set<string>();
    for (const [key, { connection, streams, calls, hungUpAt, usedAt }] of this.#sessions) {
      if (streams > 0 || calls > 0) busy.add(connection);
      // Nothing is lost: what a session belongs to is found again by its next call.
      else if (now - usedAt >= SILENT_MS) this.#sessions.delete(key);
      else if (hungUpAt !== undefined && now - hungUpAt >= GONE_MS) {
        this.#sessions.delete(key);
        hungUp.add(connection);
      }
    }
    for (const [key, connection] of this.#connections) {
      const silent = now - connection.usedAt;
      if (busy.has(key)) this.#keep(connection);
      else if (silent >= GONE_MS && (hungUp.has(key) || silent >= SILENT_MS)) this.#release(key);
      else this.#keep(connection);
    }
  }

  #keep(connection: Connection): void {
    // Nobody is made an agent, or made one again, by being looked after.
    if (connection.leaseExpiresAt <= this.#engine.clock.now()) return;
    connection.credentials().catch((error: unknown) => {
      this.#logger.warn("a connection could not be renewed", { error: String(error) });
    });
  }

  #release(key: string): void {
    const connection = this.#connections.get(key);
    if (!connection) return;
    // Another session may be in the same conversation.
    for (const presence of this.#sessions.values()) if (presence.connection === key && presence.streams > 0) return;
    this.#connections.delete(key);
    connection.retire().catch((error: unknown) => {
      this.#logger.warn("a connection could not be ended", { error: String(error) });
    });
  }
}
