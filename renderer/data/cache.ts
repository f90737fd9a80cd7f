import { createStore, type StoreApi } from "zustand/vanilla";
import { type ErrorValue, IntercomError } from "../../protocol/errors.ts";
import type { Event } from "../../protocol/objects/event.ts";
import type { Happened } from "../state/frames.ts";
import type { Source } from "./source.ts";

/** How far the contents of a cache are. `failed` together with contents: they are what was read last. */
export interface Loading {
  readonly status: "loading" | "ready" | "failed";
  readonly error?: ErrorValue | undefined;
}

export function errorValue(error: unknown): ErrorValue {
  if (error instanceof IntercomError) return error.toValue();
  return { code: "INTERNAL", message: error instanceof Error ? error.message : String(error) };
}

/**
 * Things of the daemon that a view shows, kept outside of React so that they are still there when the view comes back.
 * While no view shows it a cache reads nothing, and catches up when the next one does.
 */
export abstract class Cache<State extends Loading> {
  readonly store: StoreApi<State>;
  #users = 0;
  #current = false;

  constructor(initial: State) {
    this.store = createStore<State>()(() => initial);
  }

  /** Says that a view shows it. What is returned says that it does not any more. */
  retain(): () => void {
    this.#users += 1;
    if (!this.#current) {
      this.#current = true;
      void this.load();
    }
    let held = true;
    return () => {
      if (held) this.#users -= 1;
      held = false;
    };
  }

  get inUse(): boolean {
    return this.#users > 0;
  }

  /** Takes news of the daemon, of any scope. */
  hear(news: Happened): void {
    // After a failure the connection may be back.
    if (!this.#current) {
      if (news.all && this.inUse) void this.load();
    } else if (this.inUse) this.changed(news);
    else if (news.all || this.concerns(news.events)) this.#current = false;
  }

  /** Reads it, again or for the first time, and never rejects: failures are part of the state. */
  async load(): Promise<void> {
    try {
      await this.read();
      this.#current = true;
    } catch (error) {
      this.failed(error);
    }
  }

  protected failed(error: unknown): void {
    this.#current = false;
    this.store.setState({ status: "failed", error: errorValue(error) } as Partial<State>);
  }

  /** @throws {IntercomError} */
  protected abstract read(): Promise<void>;
  /** Whether any of it changes what is held. */
  protected abstract concerns(events: readonly Event[]): boolean;
  /** Takes news while a view shows it. */
  protected abstract changed(news: Happened): void;
}

/** Caches by key. Of those that no view shows only the latest are kept. */
export class CacheSet<Key, C extends Cache<Loading>> {
  readonly #caches = new Map<string, C>();
  readonly #make: (key: Key) => C;
  readonly #most: number;

  constructor(source: Source, most: number, make: (key: Key) => C) {
    this.#make = make;
    this.#most = most;
    source.listen((news) => {
      for (const cache of this.#caches.values()) cache.hear(news);
    });
  }

  get(key: Key): C {
    const name = JSON.stringify(key);
    const cache = this.#caches.get(name) ?? this.#make(key);
    // A map keeps the order of insertion: the latest is last.
    this.#caches.delete(name);
    this.#caches.set(name, cache);
    this.#forget();
    return cache;
  }

  #forget(): void {
    let spare = this.#caches.size - this.#most;
    for (const [name, cache] of this.#caches) {
      if (spare <= 0) return;
      if (cache.inUse) continue;
      this.#caches.delete(name);
      spare -= 1;
    }
  }
}
