/** What the host needs of the page it runs in. Tests hand in their own. */
export interface Page {
  /** Of the daemon that served the page, port included. */
  readonly origin: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Kept by the browser for this origin alone, port included, and shared by its tabs. */
  readonly storage: Storage;
  /** The same for this tab alone; it outlives loading the page again. */
  readonly tabStorage: Storage;
  /** The code of the sign-in link that led here, once: afterwards the address does not show it any more. */
  takeSignInCode(): string | undefined;
}

interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The code in what follows the `#` of an address. */
export function signInCodeIn(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, "")).get("sign-in") || undefined;
}
