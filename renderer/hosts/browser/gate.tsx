import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { localeFor, translator } from "../../../i18n/index.ts";
import type { Host } from "../../host.ts";
import { browserHost, type OpenBrowserHost } from "./host.ts";
import type { Page } from "./page.ts";
import { BrowserSession } from "./session.ts";
import { SignInPage } from "./sign-in-page.tsx";
import { thisPage } from "./this-page.ts";

interface BrowserGateProps {
  /** The app, on the host of this tab. */
  readonly children: (host: Host) => ReactNode;
}

/** Shows the app while somebody is signed in, and otherwise how to. Make one of it: it takes the link that led here. */
export function BrowserGate({ children }: BrowserGateProps) {
  const [{ page, session }] = useState(openSession);
  const state = useSyncExternalStore(session.subscribe, () => session.state);
  const [open, setOpen] = useState<OpenBrowserHost>();
  const isSignedIn = state.kind === "signed-in";

  useEffect(() => {
    if (!isSignedIn) return;
    const opened = browserHost(page, session);
    setOpen(opened);
    return () => {
      opened.close();
      setOpen(undefined);
    };
  }, [isSignedIn, page, session]);

  if (state.kind === "signed-out") {
    const t = translator(localeFor(navigator.languages));
    return <SignInPage why={state.why} t={t} onRetry={() => void session.begin()} />;
  }
  // Looking takes a moment; a page that flashes by would take longer to understand.
  return isSignedIn && open ? children(open.host) : null;
}

function openSession(): { readonly page: Page; readonly session: BrowserSession } {
  const page = thisPage();
  const session = new BrowserSession(page);
  void session.begin();
  return { page, session };
}
