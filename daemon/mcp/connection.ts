import { type Connection as Connected, isIntercomError } from "../../protocol/index.ts";
import { type Credentials, tokenHash } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import type { ClientHints } from "./guests.ts";
import type { Identity, Member } from "./member.ts";

/** What a connection is made with. */
export interface ConnectionOptions {
  readonly engine: Engine;
  /** Tells this window of the client from others. */
  readonly session: string;
  readonly linkPolicy: Identity["linkPolicy"];
  readonly hints: ClientHints;
}

interface Current {
  readonly credentials: Credentials;
  readonly leaseMs: number;
  leaseExpiresAt: number;
}

/** One window of a client that holds a connector: an execution of an agent, begun when it is first needed. */
export class Connection implements Member {
  readonly #options: ConnectionOptions;
  #current: Current | undefined;
  #pending: Promise<Credentials> | undefined;
  #identity: Identity | undefined;
  /** Instant of the last call, ms since the epoch. */
  usedAt: number;
  /** The connector, as its holder last showed it: it may have been rotated. */
  connector: Credentials;

  constructor(options: ConnectionOptions, connector: Credentials) {
    this.#options = options;
    this.connector = connector;
    this.usedAt = options.engine.clock.now();
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  /** When the execution ends unless something is done, ms since the epoch; 0 where there is none. */
  get leaseExpiresAt(): number {
    return this.#current?.leaseExpiresAt ?? 0;
  }

  async credentials(): Promise<Credentials> {
    const current = this.#current;
    if (current && current.leaseExpiresAt - this.#now() > current.leaseMs / 2) return current.credentials;
    this.#pending ??= this.#renewOrConnect().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  refused(): boolean {
    if (!this.#current) return false;
    this.#current = undefined;
    return true;
  }

  /** The window has been closed: its name is free at once, its inbox stays. */
  async retire(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current) await this.#options.engine.call("retire", { credentials: current.credentials, input: {} });
  }

  async #renewOrConnect(): Promise<Credentials> {
    const current = this.#current;
    if (current && current.leaseExpiresAt > this.#now()) {
      try {
        return await this.#heartbeat(current);
      } catch (error) {
        if (!isIntercomError(error, "UNAUTHENTICATED")) throw error;
      }
    }
    this.#current = undefined;
    const { engine, session, linkPolicy, hints } = this.#options;
    const credentials = this.connector;
    const metadata = {
      ...(hints.name ? { harness: hints.name } : {}),
      ...(hints.version ? { harnessVersion: hints.version } : {}),
      ...(hints.threadId ? { sessionId: hints.threadId } : {}),
    };
    const connected = (await engine.call("connect", { credentials, input: { session, metadata } })) as Connected;
    const { scopeId, agentId, agentToken, leaseMs, leaseExpiresAt } = connected;
    this.#identity = { scopeId, agentId, linkPolicy };
    const begun = {
      credentials: { tokenHash: tokenHash(agentToken), isAdmin: false, scopeId: undefined },
      leaseMs,
      leaseExpiresAt: Date.parse(leaseExpiresAt),
    };
    return this.#heartbeat(begun);
  }

  async #heartbeat(current: Current): Promise<Credentials> {
    const { credentials, leaseMs } = current;
    const input = { lifecycle: "working", ready: false, leaseMs };
    const at = this.#now();
    await this.#options.engine.call("heartbeat", { credentials, input });
    current.leaseExpiresAt = at + leaseMs;
    this.#current = current;
    return credentials;
  }

  #now(): number {
    return this.#options.engine.clock.now();
  }
}
