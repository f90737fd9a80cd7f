import { createRoot, type Root } from "react-dom/client";
import { localeFor, translator } from "../../../i18n/index.ts";
import "../../theme/base.css";
import type { Host } from "../../host.ts";
import { browserHost } from "./host.ts";
import { signInCodeIn } from "./page.ts";
import { BrowserSession, SESSION_KEY } from "./session.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { thisPage } from "./this-page.ts";

/** Opens the app in a tab: at once where the browser is signed in, else once it is. Until then `#root` shows how to. */
export function openInBrowser(openApp: (host: Host) => void): void {
  const page = thisPage();
  const session = new BrowserSession(page);
  let isOpen = false;
  let signInPage: Root | undefined;

  session.subscribe(() => {
    const { state } = session;
    if (state.kind === "signed-in" && !isOpen) {
      isOpen = true;
      signInPage?.unmount();
      openApp(browserHost(page, session));
    } else if (state.kind === "signed-out") {
      if (!isOpen) showSignIn(state.why);
      // Nothing of what was shown stays behind. What was typed is kept for this tab.
      else if (state.why !== "unreachable") window.location.reload();
    }
  });

  function showSignIn(why: Parameters<typeof SignInPage>[0]["why"]): void {
    signInPage ??= createRoot(document.getElementById("root") as HTMLElement);
    const locale = localeFor(navigator.languages);
    document.documentElement.lang = locale;
    signInPage.render(<SignInPage why={why} t={translator(locale)} onRetry={() => void session.begin()} />);
  }

  // A link that is opened in a tab that is here already changes the address and loads nothing.
  window.addEventListener("hashchange", () => {
    if (signInCodeIn(window.location.hash) !== undefined) void session.begin();
  });
  // Another tab has signed in or out.
  window.addEventListener("storage", ({ key }) => {
    if (key === SESSION_KEY || key === null) void session.begin();
  });
  void session.begin();
}
