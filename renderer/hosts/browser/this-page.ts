import { type Page, signInCodeIn } from "./page.ts";

/** The page this runs in. */
export function thisPage(): Page {
  return {
    origin: window.location.origin,
    fetch: (url, init) => window.fetch(url, init),
    storage: window.localStorage,
    tabStorage: window.sessionStorage,
    takeSignInCode: () => {
      const code = signInCodeIn(window.location.hash);
      if (code !== undefined) window.history.replaceState(null, "", window.location.pathname);
      return code;
    },
  };
}
