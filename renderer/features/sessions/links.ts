import type { Link, LinkRequest } from "../../../protocol/objects/scope.ts";
import type { Host } from "../../host.ts";

export interface Links {
  readonly links: readonly Link[];
  readonly requests: readonly LinkRequest[];
}

const PAGE = 500;

/**
 * Every link of a scope and every request that waits for the owner.
 * @throws {IntercomError}
 */
export async function readLinks(host: Pick<Host, "call">, scopeId: string): Promise<Links> {
  const [links, requests] = await Promise.all([allLinks(host, scopeId), pendingRequests(host, scopeId)]);
  return { links, requests };
}

async function allLinks(host: Pick<Host, "call">, scopeId: string): Promise<Link[]> {
  const links: Link[] = [];
  let after: string | undefined;
  do {
    const page = await host.call("listLinks", { limit: PAGE, ...(after ? { after } : {}) }, scopeId);
    links.push(...page.links);
    after = page.nextCursor;
  } while (after);
  return links;
}

async function pendingRequests(host: Pick<Host, "call">, scopeId: string): Promise<LinkRequest[]> {
  const requests: LinkRequest[] = [];
  let after: string | undefined;
  do {
    const input = { status: "pending" as const, limit: PAGE, ...(after ? { after } : {}) };
    const page = await host.call("listLinkRequests", input, scopeId);
    requests.push(...page.linkRequests);
    after = page.nextCursor;
  } while (after);
  return requests;
}
