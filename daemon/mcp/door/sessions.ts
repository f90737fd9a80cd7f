import type { McpServer, Server } from "@modelcontextprotocol/server";
import type { SessionView } from "./application.ts";
import { Session } from "./session.ts";
import type { SessionClaims, SessionIds } from "./session-ids.ts";

/** What outlives the daemon: which sessions their clients have ended. */
export interface EndedSessions {
  has(id: string): Promise<boolean>;
  add(id: string): Promise<void>;
}

/** At most so many sessions are kept in memory; the daemon goes on with others when their client comes back. */
const MOST_KEPT = 2000;
/** A session nobody has used for so long is not kept, ms. */
const IDLE_MS = 3_600_000;

export interface SessionsOptions {
  readonly ids: SessionIds;
  readonly ended: EndedSessions;
  /** Wall clock, ms. */
  now(): number;
}

/**
 * The sessions of the older era. Each can be gone on with after the daemon has been restarted, since its id says all that
 * has to be known; one its client has ended stays ended.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Session>();
  readonly #resuming = new Map<string, Promise<Session | undefined>>();
  #closing = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  async open(
    guestKey: string,
    claims: Omit<SessionClaims, "key" | "issuedAt">,
    serverFor: (session: SessionView) => Server | McpServer,
  ): Promise<Session> {
    const now = this.#options.now();
    const issuedAt = Math.floor(now / 1000);
    const minted = this.#options.ids.mint(guestKey, { ...claims, issuedAt });
    const session = await Session.open(minted.id, guestKey, minted.claims, now, serverFor);
    this.#keep(session);
    return session;
  }

  /** The session with this id, if it is this party's and has not been ended. */
  async find(
    guestKey: string,
    id: string,
    url: string,
    serverFor: (session: SessionView) => Server | McpServer,
  ): Promise<Session | undefined> {
    const kept = this.#kept.get(id);
    if (kept) {
      if (kept.guestKey !== guestKey) return undefined;
      kept.lastUsedAt = this.#options.now();
      this.#kept.delete(id);
      this.#kept.set(id, kept);
      return kept;
    }
    const claims = this.#options.ids.read(guestKey, id, this.#options.now());
    if (!claims) return undefined;
    // Two requests that come at the same time find one session.
    let resuming = this.#resuming.get(id);
    if (!resuming) {
      resuming = this.#resume(guestKey, id, url, claims, serverFor).finally(() => this.#resuming.delete(id));
      this.#resuming.set(id, resuming);
    }
    return resuming;
  }

  async #resume(
    guestKey: string,
    id: string,
    url: string,
    claims: SessionClaims,
    serverFor: (session: SessionView) => Server | McpServer,
  ): Promise<Session | undefined> {
    if (await this.#options.ended.has(id)) return undefined;
    const session = await Session.open(id, guestKey, claims, this.#options.now(), serverFor);
    await session.resume(url);
    this.#keep(session);
    return session;
  }

  /** For good: written down before the client hears of it. */
  async end(session: Session): Promise<void> {
    await this.#options.ended.add(session.id);
    this.#kept.delete(session.id);
    await session.close();
  }

  async close(): Promise<void> {
    this.#closing = true;
    const all = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(all.map((session) => session.close()));
  }

  #keep(session: Session): void {
    if (this.#closing) {
      void session.close();
      return;
    }
    this.#kept.set(session.id, session);
    const longAgo = this.#options.now() - IDLE_MS;
    for (const old of this.#kept.values()) {
      // Oldest first: what follows was used later.
      if (this.#kept.size <= MOST_KEPT && old.lastUsedAt > longAgo) break;
      if (old.busy > 0 || old === session) continue;
      this.#kept.delete(old.id);
      void old.close();
    }
  }
}
