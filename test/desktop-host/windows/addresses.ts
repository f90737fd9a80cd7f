// Stock Chromium does not let a debugger answer for a scheme of the app's own: it gives up before any event. So pages of
// such a scheme are shown under an https address with the same parts, and every address is translated back where the app
// sees it. `location` inside the page shows the https address.

const DOMAIN = "scheme.desktop-host.test";
const translated = new RegExp(`^https://([^/]*)\\.([a-z0-9+-]+)\\.${DOMAIN.replaceAll(".", "\\.")}(.*)$`, "s");

/** Schemes with a handler (`protocol.handle`) and its answers. */
export const schemeHandlers = new Map<string, (request: Request) => Response | Promise<Response>>();

/** "app://ui/a" becomes "https://ui.app.scheme.desktop-host.test/a" when "app" has a handler. */
export function toChromium(url: string): string {
  const [, scheme = "", host = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (!schemeHandlers.has(scheme.toLowerCase())) return url;
  return `https://${host}.${scheme.toLowerCase()}.${DOMAIN}${rest.startsWith("/") ? "" : "/"}${rest}`;
}

/** The way back. */
export function toApp(url: string): string {
  const [, host, scheme, rest] = translated.exec(url) ?? [];
  return scheme === undefined ? url : `${scheme}://${host}${rest}`;
}
