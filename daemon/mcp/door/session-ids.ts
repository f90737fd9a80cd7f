import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** What has to be known of a session in order to go on with it after the daemon has forgotten it. */
export interface SessionClaims {
  /** Names the session. */
  readonly key: string;
  /** Unix time, s. */
  readonly issuedAt: number;
  /** The version of MCP the client asked for. */
  readonly protocolVersion: string;
  /** The client can ask its user questions. */
  readonly elicits: boolean;
  readonly clientName: string;
  readonly clientVersion: string;
}

/** How long a session may be gone on with, s. */
export const SESSION_MAX_AGE_S = 30 * 86_400;
const LONGEST_ID = 1024;
const LONGEST_TEXT = 64;

/**
 * Session ids that tell what they stand for and are signed, so that none has to be stored. They give no access: whoever
 * uses one has to be, by credential, the party it was made for.
 */
export class SessionIds {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  mint(guestKey: string, claims: Omit<SessionClaims, "key">): { id: string; claims: SessionClaims } {
    const complete: SessionClaims = {
      ...claims,
      key: randomBytes(16).toString("base64url"),
      clientName: claims.clientName.slice(0, LONGEST_TEXT),
      clientVersion: claims.clientVersion.slice(0, LONGEST_TEXT),
    };
    const { key, issuedAt, protocolVersion, elicits, clientName, clientVersion } = complete;
    const fields = [key, issuedAt, protocolVersion, elicits, clientName, clientVersion];
    const payload = Buffer.from(JSON.stringify(fields)).toString("base64url");
    return { id: `${payload}.${this.#sign(guestKey, payload)}`, claims: complete };
  }

  /** What an id says, if it is one of ours, of this party, and not too old. */
  read(guestKey: string, id: string, now: number): SessionClaims | undefined {
    if (id.length > LONGEST_ID) return undefined;
    const [payload = "", mac = "", ...rest] = id.split(".");
    const expected = Buffer.from(this.#sign(guestKey, payload));
    const given = Buffer.from(mac);
    if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    // Nobody but this daemon can have made it.
    const [key, issuedAt, protocolVersion, elicits, clientName, clientVersion] = JSON.parse(
      Buffer.from(payload, "base64url").toString("utf8"),
    );
    if (now / 1000 - issuedAt > SESSION_MAX_AGE_S) return undefined;
    return { key, issuedAt, protocolVersion, elicits, clientName, clientVersion };
  }

  #sign(guestKey: string, payload: string): string {
    return createHmac("sha256", this.#secret).update(`${guestKey}\n${payload}`).digest("base64url");
  }
}
