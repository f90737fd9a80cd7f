import { type Agent, type Event, HUMAN_PARTY, IntercomError, type OperationResult } from "../../protocol/index.ts";
import { type Engine, followEvents, newestEventSequence } from "../engine/index.ts";
import type { Logger } from "../runtime/index.ts";
import type { Member } from "./member.ts";
import { AGENTS, conversationUri, INBOX, TASKS, taskUri } from "./resources/resource.ts";

/** Somebody who wants to hear when resources change. */
export interface Watcher {
  readonly member: Member;
  wants(uri: string): boolean;
  changed(uri: string): void;
}

interface Pending {
  readonly uris: Set<string>;
  /** Where not everybody sees everybody: whom this watcher saw last, and how. */
  seen?: string;
}

/** How long changes are gathered, so that many at a time are told of once, ms. */
const GATHER_MS = 25;
/** Followers look for the end at least this often, ms. */
const IDLE_MS = 60_000;

/**
 * Tells watchers which resources have changed. What it tells is a hint: a watcher reads the resource, and whether it may
 * is decided then. Nothing is followed while nobody watches.
 */
export class Changes {
  readonly #engine: Engine;
  readonly #logger: Logger;
  readonly #watchers = new Map<Watcher, Pending>();
  #following: AbortController | undefined;
  /** Settled once what happens is followed. */
  #begun: Promise<void> = Promise.resolve();
  #telling: NodeJS.Timeout | undefined;

  constructor(engine: Engine, logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
  }

  /** Resolves once everything that happens from now on will be told. */
  async watch(watcher: Watcher, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const pending: Pending = { uris: new Set() };
    this.#watchers.set(watcher, pending);
    signal.addEventListener("abort", () => this.#forget(watcher), { once: true });
    if (watcher.member.identity?.linkPolicy !== "open") pending.seen = await this.#seenBy(watcher);
    if (!this.#following) {
      this.#following = new AbortController();
      this.#begun = this.#begin(this.#following);
    }
    await this.#begun;
  }

  async #begin(following: AbortController): Promise<void> {
    // The next watcher begins anew.
    const over = () => {
      if (this.#following === following) this.#following = undefined;
    };
    const after = await newestEventSequence(this.#engine).catch((error: unknown) => {
      over();
      throw error;
    });
    this.#follow(after, following.signal).catch((error: unknown) => {
      this.#logger.error("changes are no longer followed", { error: String(error) });
      over();
    });
  }

  stop(): void {
    this.#watchers.clear();
    this.#following?.abort();
    this.#following = undefined;
    clearTimeout(this.#telling);
  }

  #forget(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return;
    this.#following?.abort();
    this.#following = undefined;
  }

  async #follow(after: number, signal: AbortSignal): Promise<void> {
    for await (const item of followEvents(this.#engine, after, IDLE_MS, signal)) {
      if (item.kind === "idle") continue;
      for (const [watcher, pending] of this.#watchers) {
        const identity = watcher.member.identity;
        if (!identity) continue;
        // After a gap anything may have changed.
        const uris =
          item.kind === "resync" ? [INBOX, AGENTS, TASKS] : changedUris(item.event, identity.scopeId, identity.agentId);
        for (const uri of uris) if (watcher.wants(uri)) pending.uris.add(uri);
        if (pending.uris.size > 0) this.#tellSoon();
      }
    }
  }

  #tellSoon(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      for (const [watcher, pending] of this.#watchers) {
        if (pending.uris.size === 0) continue;
        const uris = [...pending.uris];
        pending.uris.clear();
        void this.#tell(watcher, pending, uris);
      }
    }, GATHER_MS);
  }

  /** Whoever may no longer look is told nothing. */
  async #tell(watcher: Watcher, pending: Pending, uris: readonly string[]): Promise<void> {
    try {
      await this.#engine.checkAuthority("whoAmI", await watcher.member.credentials());
      for (const uri of uris) {
        if (uri === AGENTS && !(await this.#seesAnother(watcher, pending))) continue;
        watcher.changed(uri);
      }
    } catch (error) {
      if (!(error instanceof IntercomError)) this.#logger.error("a change was not told", { error: String(error) });
    }
  }

  /** That something happened to an agent is nothing for those who may not see it. */
  async #seesAnother(watcher: Watcher, pending: Pending): Promise<boolean> {
    if (watcher.member.identity?.linkPolicy === "open") return true;
    const before = pending.seen;
    pending.seen = await this.#seenBy(watcher);
    return pending.seen !== before;
  }

  async #seenBy({ member }: Watcher): Promise<string> {
    const call = { credentials: await member.credentials(), input: {} };
    const { agent } = (await this.#engine.call("whoAmI", call)) as OperationResult<"whoAmI">;
    const peers = (await this.#engine.call("listPeers", call)) as Agent[];
    return JSON.stringify([agent, ...peers].map(lookOf));
  }
}

/** What is told of an agent when it changes; when it was last seen and what it owes is not. */
function lookOf({ id, displayName, capabilities, lifecycle, ready, reachable, executionId, summary, metadata }: Agent) {
  return [id, displayName, capabilities, lifecycle, ready, reachable, executionId, summary, metadata];
}

/** Resources of one agent that an event says have changed. */
export function changedUris(event: Event, scopeId: string, agentId: string): string[] {
  if (event.scopeId !== scopeId) return [];
  const [noun] = event.type.split(".", 1);
  switch (noun) {
    case "message": {
      const { from, to } = event.attributes;
      if (to === agentId) return [INBOX, conversationUri(from ?? HUMAN_PARTY)];
      return from === agentId ? [conversationUri(to ?? HUMAN_PARTY)] : [];
    }
    case "task":
      return [TASKS, taskUri(event.subjectId)];
    case "agent":
    case "link":
    case "scope":
      return [AGENTS];
    default:
      return [];
  }
}
