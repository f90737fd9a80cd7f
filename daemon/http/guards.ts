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
 * Keeps pages in a browser out. A page that rebinds its own name to this address still sends that name as Host; one that
 * calls us by our address sends its own Origin. No other origin has business here.
 * @throws {IntercomError} PERMISSION_DENIED
 */
export function guardRequest(request: IncomingMessage): void {
  const { host, origin } = request.headers;
  const name = host === undefined ? undefined : hostName(host);
  if (name === undefined || !isLoopbackHost(name)) {
    throw new IntercomError("PERMISSION_DENIED", "Host is not allowed", { reason: "host" });
  }
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new IntercomError("PERMISSION_DENIED", "Origin is not allowed", { reason: "origin" });
  }
}
