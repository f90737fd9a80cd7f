import type { IncomingMessage } from "node:http";
import { SCOPE_HEADER } from "../../protocol/index.ts";
import { type Credentials, tokenHash } from "../core/index.ts";

const SCOPE_HEADER_KEY = SCOPE_HEADER.toLowerCase();

function bearerToken(header: string | undefined): string | undefined {
  const match = header === undefined ? null : /^bearer[ \t]+(.*)$/i.exec(header);
  return match?.[1]?.trim() || undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value?.trim() || undefined;
}

/**
 * Reads who calls from the headers of a request. Tokens are only ever compared by their digest, whose bytes a caller
 * cannot choose, so how long a comparison takes tells nothing about the token.
 */
export function credentialReader(adminToken: string): (request: IncomingMessage) => Credentials {
  const adminHash = tokenHash(adminToken);
  return (request) => {
    const token = bearerToken(request.headers.authorization);
    const hash = token === undefined ? undefined : tokenHash(token);
    return {
      tokenHash: hash,
      isAdmin: hash === adminHash,
      scopeId: single(request.headers[SCOPE_HEADER_KEY]),
    };
  };
}
