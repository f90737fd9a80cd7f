import { timingSafeEqual } from "node:crypto";
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

/** Reads who calls from the headers of a request. The admin token is compared by its digest, in constant time. */
export function credentialReader(adminToken: string): (request: IncomingMessage) => Credentials {
  const adminHash = Buffer.from(tokenHash(adminToken));
  return (request) => {
    const token = bearerToken(request.headers.authorization);
    return {
      token,
      isAdmin: token !== undefined && timingSafeEqual(Buffer.from(tokenHash(token)), adminHash),
      scopeId: single(request.headers[SCOPE_HEADER_KEY]),
    };
  };
}
