import type { IncomingMessage } from "node:http";
import { IntercomError } from "../../protocol/index.ts";

/** Whether a host name stands for this machine only. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === "localhost" || name === "::1" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}

function hostName(host: string): string | undefined {
  return /^(\[[0-9a-fA-F:]+\]|[^:@/\s]+)(?::\d{1,5})?$/.exec(host)?.[1];
}

/**
 * A page that rebinds its own name to this address still sends that name as Host.
 * @throws {IntercomError} PERMISSION_DENIED
 */
export function guardHost(request: IncomingMessage): void {
  const { host } = request.headers;
  const name = host === undefined ? undefined : hostName(host);
  if (name === undefined || !isLoopbackHost(name)) {
    throw new IntercomError("PERMISSION_DENIED", "Host is not allowed", { reason: "host" });
  }
}

/**
 * Whether a page of this very origin asks, port included, as far as a browser tells. Programs that are none tell nothing.
 * Browsers that send no `Sec-Fetch-Site` still send `Origin` with everything but plain GETs.
 */
export function isFromOwnPage({ headers }: IncomingMessage): boolean {
  const { host, origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return false;
  const site = headers["sec-fetch-site"];
  return site === undefined ? origin !== undefined : site === "same-origin";
}

/** The origin of a page that is not the daemon's own, if one asks. */
export function foreignOrigin(request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  return origin === `http://${host}` ? undefined : origin;
}

/** What a page of another origin is told that has no business here. */
export function originRefused(): IntercomError {
  return new IntercomError("PERMISSION_DENIED", "Origin is not allowed", { reason: "origin" });
}
