import type { Logger } from "../../daemon/runtime/index.ts";
import type { Electron } from "../ports/electron.ts";
import { guardContents } from "./navigation.ts";
import { listPages, PAGE_SCHEME, servePage } from "./pages.ts";
import { guardSession } from "./session.ts";

/** What has to be settled before Electron is ready. */
export function secureBeforeReady({ app, protocol }: Pick<Electron, "app" | "protocol">, logger: Logger): void {
  app.enableSandbox();
  const privileges = { standard: true, secure: true, supportFetchAPI: true };
  protocol.registerSchemesAsPrivileged([{ scheme: PAGE_SCHEME, privileges }]);
  // Every page there will ever be, of whatever kind.
  app.on("web-contents-created", (_event, contents) => guardContents(contents, logger));
}

/**
 * What can be settled only once Electron is ready, and before there is a page.
 * @throws {Error} when there are no pages: the app was not built
 */
export function secureWhenReady(
  { app, protocol, session }: Pick<Electron, "app" | "protocol" | "session">,
  pages: string,
  logger: Logger,
): void {
  const files = listPages(pages);
  protocol.handle(PAGE_SCHEME, (request) => servePage(request, files));
  guardSession(session.defaultSession, { isPackaged: app.isPackaged, logger });
}
