import { type Page, signInCodeIn } from "../../../renderer/hosts/browser/page.ts";

type Stored = Page["storage"];

function memory(): Stored {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/** What the tabs of one browser share: cookies by host, storage by origin. */
export class TestBrowser {
  readonly #cookies = new Map<string, string>();
  readonly #storages = new Map<string, Stored>();

  /** Opens a tab at an address. It behaves like a browser as far as the daemon can tell. */
  open(address: string): TestTab {
    const { origin, hash } = new URL(address);
    const storage = this.#storages.get(origin) ?? memory();
    this.#storages.set(origin, storage);
    return new TestTab(origin, hash, storage, (url, init) => this.#fetch(origin, url, init));
  }

  get cookieNames(): string[] {
    return [...this.#cookies.keys()];
  }

  async #fetch(origin: string, url: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const isOwn = new URL(url).origin === origin;
    headers.set("Sec-Fetch-Site", isOwn ? "same-origin" : "same-site");
    if (!isOwn || (init.method ?? "GET") !== "GET") headers.set("Origin", origin);
    headers.set("Cookie", [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0(;|$)/.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

/** One tab, as far as the browser host looks at it. */
export class TestTab implements Page {
  readonly origin: string;
  readonly storage: Stored;
  readonly tabStorage = memory();
  readonly fetch: Page["fetch"];
  #fragment: string;

  constructor(origin: string, fragment: string, storage: Stored, send: Page["fetch"]) {
    this.origin = origin;
    this.#fragment = fragment;
    this.storage = storage;
    this.fetch = send;
  }

  /** What stands behind the `#` by now. */
  get fragment(): string {
    return this.#fragment;
  }

  takeSignInCode(): string | undefined {
    const code = signInCodeIn(this.#fragment);
    if (code !== undefined) this.#fragment = "";
    return code;
  }
}
