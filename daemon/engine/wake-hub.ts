/** Why a wait ended. */
export type WaitEnd = "woken" | "timeout" | "aborted" | "stopping";

/**
 * Tells waiting calls that there may be something for them. Only a hint: whoever is woken looks again, and what it looks
 * for is in the store, so a wake that is lost with the process loses nothing.
 */
export class WakeHub {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #watchers = new Map<string, Set<() => void>>();
  #stopping = false;

  /** Starts listening. What is announced from now on ends the next wait at once, so look only after calling this. */
  listen(channel: string): Listener {
    const listener = new Listener(this.#stopping, (self) => this.#forget(channel, self));
    const set = this.#listeners.get(channel);
    if (set) set.add(listener);
    else this.#listeners.set(channel, new Set([listener]));
    return listener;
  }

  /** Calls `watcher` with each announcement, before anybody who waits for it is woken. */
  watch(channel: string, watcher: () => void): void {
    const set = this.#watchers.get(channel);
    if (set) set.add(watcher);
    else this.#watchers.set(channel, new Set([watcher]));
  }

  notify(channels: Iterable<string>): void {
    for (const channel of channels) {
      for (const watcher of this.#watchers.get(channel) ?? []) watcher();
      const listeners = this.#listeners.get(channel);
      if (listeners) for (const listener of listeners) listener.signal();
    }
  }

  /** Ends every wait, now and from now on. */
  stop(): void {
    this.#stopping = true;
    for (const listeners of this.#listeners.values()) for (const listener of listeners) listener.stop();
  }

  get listening(): number {
    let count = 0;
    for (const listeners of this.#listeners.values()) count += listeners.size;
    return count;
  }

  #forget(channel: string, listener: Listener): void {
    const listeners = this.#listeners.get(channel);
    if (listeners?.delete(listener) && listeners.size === 0) this.#listeners.delete(channel);
  }
}

export class Listener {
  readonly #close: (self: Listener) => void;
  #signalled = false;
  #stopping: boolean;
  #end: ((reason: WaitEnd) => void) | undefined;

  constructor(stopping: boolean, close: (self: Listener) => void) {
    this.#stopping = stopping;
    this.#close = close;
  }

  signal(): void {
    this.#signalled = true;
    this.#end?.("woken");
  }

  stop(): void {
    this.#stopping = true;
    this.#end?.("stopping");
  }

  /** Waits at most `timeoutMs`; returns at once when something was announced since the last wait. */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<WaitEnd> {
    if (this.#stopping) return "stopping";
    if (signal?.aborted) return "aborted";
    if (!this.#signalled) {
      const reason = await this.#sleep(timeoutMs, signal);
      if (reason !== "woken") return reason;
    }
    this.#signalled = false;
    return "woken";
  }

  close(): void {
    this.#close(this);
  }

  #sleep(timeoutMs: number, signal: AbortSignal | undefined): Promise<WaitEnd> {
    return new Promise((resolve) => {
      const onAbort = () => this.#end?.("aborted");
      const timer = setTimeout(() => this.#end?.("timeout"), timeoutMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#end = (reason) => {
        this.#end = undefined;
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        resolve(reason);
      };
    });
  }
}
