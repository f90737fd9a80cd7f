import type { Session } from "electron";
import type { Logger } from "../../daemon/runtime/index.ts";
import { isPageAddress } from "./pages.ts";

/** What a page may do beyond showing itself: copy text that a click asked for. */
const PERMISSIONS: readonly string[] = ["clipboard-sanitized-write"];

export interface SessionRules {
  readonly isPackaged: boolean;
  readonly logger: Logger;
}

/** Closes a session: nothing is loaded from anywhere, nothing is granted. */
export function guardSession(
  session: Pick<
    Session,
    "webRequest" | "setPermissionRequestHandler" | "setPermissionCheckHandler" | "setDevicePermissionHandler"
  >,
  { isPackaged, logger }: SessionRules,
): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    const isAllowed = mayLoad(url, isPackaged);
    if (!isAllowed) logger.warn("a request of a page was stopped", { origin: originOf(url) });
    answer({ cancel: !isAllowed });
  });
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) => {
    const isGranted = PERMISSIONS.includes(permission) && isPageAddress(requestingUrl);
    if (!isGranted) logger.warn("a permission was refused", { permission });
    answer(isGranted);
  });
  session.setPermissionCheckHandler((_contents, permission, origin) => {
    return PERMISSIONS.includes(permission) && isPageAddress(origin);
  });
  session.setDevicePermissionHandler(() => false);
}

/** Our pages and their parts, and while developing the developer tools. */
export function mayLoad(url: string, isPackaged: boolean): boolean {
  return isPageAddress(url) || (!isPackaged && URL.parse(url)?.protocol === "devtools:");
}

function originOf(url: string): string {
  const address = URL.parse(url);
  return address ? `${address.protocol}//${address.host}` : "unreadable";
}
