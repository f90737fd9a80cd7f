import type { Destination } from "../../protocol/desktop/index.ts";
import { VIEWS, type View } from "../../protocol/desktop/names.ts";

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

function isView(name: string | undefined): name is View {
  return (VIEWS as readonly (string | undefined)[]).includes(name);
}

/**
 * Reads where the page is from its address: `#/inbox`, `#/inbox/SCOPE` or `#/inbox/SCOPE/ID`. What is no such place is the
 * inbox: an address is something anyone may have written.
 */
export function parseRoute(hash: string): Destination {
  const [view, scopeId, id] = hash
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => (IDENTIFIER.test(part) ? part : undefined));
  if (!isView(view)) return { view: "inbox" };
  return { view, ...(scopeId ? { scopeId } : {}), ...(scopeId && id ? { id } : {}) };
}

export function routeHash({ view, scopeId, id }: Destination): string {
  return `#/${[view, scopeId, scopeId ? id : undefined].filter((part) => part !== undefined).join("/")}`;
}
