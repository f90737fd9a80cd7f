import type { IncomingMessage } from "node:http";
import { SCOPE_HEADER, SESSION_HEADER } from "../../protocol/index.ts";
import { type Credentials, SESSION_COOKIE_PREFIX, type SessionSecrets, tokenHash } from "../core/index.ts";
import { isFromOwnPage } from "./guards.ts";

const SCOPE_HEADER_KEY = SCOPE_HEADER.toLowerCase();
const SESSION_HEADER_KEY = SESSION_HEADER.toLowerCase();
/** More daemons than any machine has. */
const MOST_COOKIES = 20;

function bearerToken(header: string | undefined): string | undefined {
  const match = header === undefined ? null : /^bearer[ \t]+(.*)$/i.exec(header);
  return match?.[1]?.trim() || undefined;
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value?.trim() || undefined;
}

/**
 * What a signed-in browser sends. Cookies know no ports: every server on this host gets them, and could send them on. So
 * they count only beside the proof, which only pages of this origin can read, and for such a page only.
 */
export function sessionSecrets(request: IncomingMessage): SessionSecrets | undefined {
  const proof = single(request.headers[SESSION_HEADER_KEY]);
  if (proof === undefined || !isFromOwnPage(request)) return undefined;
  const cookies = (request.headers.cookie ?? "")
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each.startsWith(SESSION_COOKIE_PREFIX))
    .slice(0, MOST_COOKIES)
    .map((each) => each.slice(each.indexOf("=") + 1));
  return cookies.length === 0 ? undefined : { proofHash: tokenHash(proof), cookieHashes: cookies.map(tokenHash) };
}

/**
 * Reads who calls from the headers of a request. Tokens are only ever compared by their digest, whose bytes a caller
 * cannot choose, so how long a comparison takes tells nothing about the token.
 * @param withSessions whether browsers that are signed in count; beside an `Authorization` header they never do
 */
export function credentialReader(adminToken: string, withSessions = false): (request: IncomingMessage) => Credentials {
  const adminHash = tokenHash(adminToken);
  return (request) => {
    const token = bearerToken(request.headers.authorization);
    const session = withSessions && request.headers.authorization === undefined ? sessionSecrets(request) : undefined;
    const hash = token === undefined ? undefined : tokenHash(token);
    return {
      tokenHash: hash,
      isAdmin: hash === adminHash,
      scopeId: single(request.headers[SCOPE_HEADER_KEY]),
      session,
    };
  };
}
