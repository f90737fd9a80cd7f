import type { WebContents } from "electron";
import type { Logger } from "../../daemon/runtime/index.ts";
import { isPageAddress } from "./pages.ts";

/** Keeps a page where it is: it loads nothing else, embeds nothing and opens nothing. */
export function guardContents(contents: Pick<WebContents, "on" | "setWindowOpenHandler">, logger: Logger): void {
  contents.on("will-navigate", (event) => {
    // A page that loads itself anew, for instance after the renderer was lost, is the exception.
    if (isReload(event.url, event.initiator?.url)) return;
    logger.warn("a page wanted to go elsewhere");
    event.preventDefault();
  });
  contents.on("will-frame-navigate", (event) => {
    if (event.isMainFrame) return;
    event.preventDefault();
  });
  contents.on("will-redirect", (event) => event.preventDefault());
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}

function isReload(to: string, from: string | undefined): boolean {
  if (from === undefined || !isPageAddress(to)) return false;
  return withoutFragment(to) === withoutFragment(from);
}

function withoutFragment(url: string): string {
  return url.split("#", 1)[0] ?? url;
}
