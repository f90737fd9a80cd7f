import "./no-eval.ts";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { type ReactNode, StrictMode, useEffect } from "react";
import { createRoot } from "react-dom/client";
import "../theme/base.css";
import type { Bridge } from "../../protocol/desktop/index.ts";
import { BRIDGE } from "../../protocol/desktop/names.ts";
import type { Host } from "../host.ts";
import { type App, createApp, localeOf, themeOf } from "../state/app.ts";
import { AppProvider, useApp } from "../state/context.tsx";
import { Toasts } from "../ui/toasts.tsx";

/** The bridge that the preload script gives to pages of the desktop. */
export function bridgeOf(page: Window): Bridge | undefined {
  return (page as unknown as Readonly<Record<string, Bridge | undefined>>)[BRIDGE];
}

/** Shows a page for this host and begins to follow it. */
export function show(host: Host, content: ReactNode): App {
  const app = createApp(host, window);
  const root = document.getElementById("root");
  if (!root) throw new Error("The page has no #root");
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <AppProvider app={app}>
          <Appearance />
          <Tooltip.Provider delay={500}>
            {content}
            <Toasts />
          </Tooltip.Provider>
        </AppProvider>
      </CSPProvider>
    </StrictMode>,
  );
  void app.start();
  return app;
}

/** Theme and language belong to the document itself. */
function Appearance() {
  const theme = useApp(themeOf);
  const locale = useApp(localeOf);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    document.documentElement.lang = locale;
  }, [theme, locale]);
  return undefined;
}
