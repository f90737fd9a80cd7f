import { SESSION_HEADER, type SignedIn } from "../../../protocol/index.ts";
import type { Page } from "./page.ts";

/**
 * Why nobody is signed in. `none`: this browser never was. `used`, `expired`, `unknown`: the link was no good. `busy`: too
 * many links were no good. `ended`: the session is over. `left`: the human signed out here. `unreachable`: there is no
 * daemon to ask.
 */
export type SignedOutReason = "none" | "used" | "expired" | "unknown" | "busy" | "ended" | "left" | "unreachable";

export type SessionState =
  | { readonly kind: "checking" }
  | { readonly kind: "signed-in" }
  | { readonly kind: "signed-out"; readonly why: SignedOutReason };

/** Where the proof is kept, for all tabs of this origin. */
export const SESSION_KEY = "intercom.session";
/** Why this tab was signed out, for when it has been loaded again. */
const WHY_KEY = "intercom.signed-out";
const PATH = "/ui/session";
const UNAUTHENTICATED = 401;
const BACKPRESSURE = 429;

/**
 * Whether this browser is signed in, and how it came to be. The cookie is the browser's; this keeps what has to go along with
 * it, where pages of other origins cannot look.
 */
export class BrowserSession {
  readonly #page: Page;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = { kind: "checking" };

  constructor(page: Page) {
    this.#page = page;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Calls `listener` with each change. Returns what ends that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Goes along with each call. Read anew each time: another tab may have signed in or out. */
  readonly proof = (): string | undefined => this.#page.storage.getItem(SESSION_KEY) ?? undefined;

  /** Sends calls, and notices when the daemon no longer knows who we are. */
  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const sent = this.proof();
    const response = await this.#page.fetch(url, { ...init, credentials: "same-origin" });
    // Unless another tab has signed in anew meanwhile, whose proof must stay.
    const isOver = response.status === UNAUTHENTICATED && this.proof() === sent;
    if (isOver && this.#state.kind === "signed-in") this.#end("ended");
    return response;
  };

  /** Signs in by the link that led here, or goes on with the session there is. */
  async begin(): Promise<void> {
    const wasSignedIn = this.#state.kind === "signed-in";
    this.#set({ kind: "checking" });
    try {
      const code = this.#page.takeSignInCode();
      const failure = code === undefined ? undefined : await this.#signIn(code);
      // A link that is no good does not end a session that is.
      if (code !== undefined && failure === undefined) this.#set({ kind: "signed-in" });
      else if (this.proof() !== undefined) await this.#resume(failure);
      // Another tab has signed this browser out.
      else if (wasSignedIn) this.#end(failure ?? "ended");
      else this.#set({ kind: "signed-out", why: failure ?? this.#rememberedReason() });
    } catch {
      this.#set({ kind: "signed-out", why: "unreachable" });
    }
  }

  /** Ends the session. Without a daemon to tell, this browser forgets it all the same. */
  async signOut(): Promise<void> {
    try {
      await this.#ask("DELETE");
    } catch {
      // What is left there is worth nothing without what is forgotten here.
    }
    this.#end("left");
  }

  /** @returns why the link was no good; undefined when it was */
  async #signIn(code: string): Promise<SignedOutReason | undefined> {
    const response = await this.#page.fetch(this.#page.origin + PATH, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
      credentials: "same-origin",
    });
    if (response.status === BACKPRESSURE) return "busy";
    const { result, error } = (await response.json()) as Answer;
    if (!result) return linkFailure(error?.details?.reason);
    this.#page.storage.setItem(SESSION_KEY, result.proof);
    this.#page.tabStorage.removeItem(WHY_KEY);
    return undefined;
  }

  /** @param failure why the link that led here was no good, if one did */
  async #resume(failure: SignedOutReason | undefined): Promise<void> {
    const response = await this.#ask("GET");
    if (response.ok) this.#set({ kind: "signed-in" });
    else if (response.status === UNAUTHENTICATED) this.#end(failure ?? "ended");
    else this.#set({ kind: "signed-out", why: "unreachable" });
  }

  #ask(method: "GET" | "DELETE"): Promise<Response> {
    const headers = { [SESSION_HEADER]: this.proof() ?? "" };
    return this.#page.fetch(this.#page.origin + PATH, { method, headers, credentials: "same-origin" });
  }

  #rememberedReason(): SignedOutReason {
    const why = this.#page.tabStorage.getItem(WHY_KEY);
    return why === "ended" || why === "left" ? why : "none";
  }

  #end(why: SignedOutReason): void {
    this.#page.storage.removeItem(SESSION_KEY);
    this.#page.tabStorage.setItem(WHY_KEY, why);
    this.#set({ kind: "signed-out", why });
  }

  #set(state: SessionState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

interface Answer {
  readonly result?: SignedIn;
  readonly error?: { readonly details?: { readonly reason?: unknown } };
}

function linkFailure(reason: unknown): SignedOutReason {
  return reason === "used" || reason === "expired" ? reason : "unknown";
}
