import { hash } from "node:crypto";
import { IntercomError, type ParsedInput, type RefusalReason, type UiSession } from "../../protocol/index.ts";
import type { AdminCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { toInstant, tokenHash } from "./encoding.ts";
import { storedSecret } from "./stored-secret.ts";

/** Browsers that are signed in to the user interface. What a session may do is what the admin may: see `caller.ts`. */

/** What a request of a signed-in browser carries, as digests. It may carry the cookies of several daemons. */
export interface SessionSecrets {
  readonly proofHash: string;
  readonly cookieHashes: readonly string[];
}

/** What the name of every session cookie begins with, whichever daemon's it is. */
export const SESSION_COOKIE_PREFIX = "intercom-ui-";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const CODE_LIFETIME_MS = MINUTE_MS;
/** How long a code is known after it has run out, so that its holder is told what became of it. */
const CODE_MEMORY_MS = 60 * MINUTE_MS;
const CODES = 100;
/** A session ends when it was not used for so long, and after so long in any case. */
const IDLE_MS = 7 * DAY_MS;
const LIFETIME_MS = 30 * DAY_MS;
/** More browsers than anybody has; the one that was used least recently makes room. */
const SESSIONS = 50;

export interface SessionRow {
  readonly no: number;
  readonly id: string;
  readonly proofHash: string;
  readonly cookieHash: string;
  readonly userAgent: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
}

const SELECT = `SELECT no, id, proof_hash AS proofHash, cookie_hash AS cookieHash, user_agent AS userAgent,
  created_at AS createdAt, last_seen_at AS lastSeenAt FROM ui_sessions`;

function expiryOf({ createdAt, lastSeenAt }: SessionRow): number {
  return Math.min(lastSeenAt + IDLE_MS, createdAt + LIFETIME_MS);
}

function toSession(row: SessionRow, current: boolean): UiSession {
  return {
    id: row.id,
    userAgent: row.userAgent,
    createdAt: toInstant(row.createdAt),
    lastSeenAt: toInstant(row.lastSeenAt),
    expiresAt: toInstant(expiryOf(row)),
    current,
  };
}

function refused(message: string, reason: RefusalReason): IntercomError {
  return new IntercomError("UNAUTHENTICATED", message, { reason });
}

/** A fresh code, good for once. @returns until when, ms since the epoch */
export async function issueSignInCode(ctx: Context): Promise<{ readonly code: string; readonly expiresAt: number }> {
  await ctx.tx.run("DELETE FROM ui_sign_in_codes WHERE expires_at < ?", ctx.now - CODE_MEMORY_MS);
  await ctx.tx.run(
    `DELETE FROM ui_sign_in_codes WHERE code_hash IN
       (SELECT code_hash FROM ui_sign_in_codes ORDER BY expires_at DESC LIMIT 1000 OFFSET ?)`,
    CODES - 1,
  );
  const code = ctx.ids.token();
  const expiresAt = ctx.now + CODE_LIFETIME_MS;
  await ctx.tx.run("INSERT INTO ui_sign_in_codes (code_hash, expires_at) VALUES (?, ?)", tokenHash(code), expiresAt);
  return { code, expiresAt };
}

export interface StartedSession {
  readonly session: UiSession;
  readonly cookie: string;
  readonly proof: string;
  readonly cookieName: string;
  readonly cookieMaxAgeS: number;
}

/**
 * Trades a code for a session. Whoever has a code learns what became of it; whoever guesses learns nothing, since only
 * the code itself leads to its row.
 * @throws {IntercomError} UNAUTHENTICATED with `details.reason` `unknown`, `used` or `expired`
 */
export async function startSession(ctx: Context, code: string, userAgent: string): Promise<StartedSession> {
  const found = await ctx.tx.get<{ expiresAt: number; usedAt: number | null }>(
    "SELECT expires_at AS expiresAt, used_at AS usedAt FROM ui_sign_in_codes WHERE code_hash = ?",
    tokenHash(code),
  );
  if (!found) throw refused("This sign-in link is not known here", "unknown");
  if (found.usedAt !== null) throw refused("This sign-in link has been used already", "used");
  if (found.expiresAt <= ctx.now) throw refused("This sign-in link has expired", "expired");
  await ctx.tx.run("UPDATE ui_sign_in_codes SET used_at = ? WHERE code_hash = ?", ctx.now, tokenHash(code));
  await makeRoom(ctx);
  const [cookie, proof] = [ctx.ids.token(), ctx.ids.token()];
  const id = ctx.ids.next("uiSession");
  await ctx.tx.run(
    `INSERT INTO ui_sessions (id, proof_hash, cookie_hash, user_agent, created_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    id,
    tokenHash(proof),
    tokenHash(cookie),
    userAgent,
    ctx.now,
    ctx.now,
  );
  const row = await ctx.tx.get<SessionRow>(`${SELECT} WHERE id = ?`, id);
  const session = toSession(row as SessionRow, true);
  return { session, cookie, proof, cookieName: await sessionCookieName(ctx), cookieMaxAgeS: LIFETIME_MS / 1000 };
}

async function makeRoom(ctx: Context): Promise<void> {
  await ctx.tx.run(
    `DELETE FROM ui_sessions WHERE last_seen_at <= ? OR created_at <= ? OR no IN
       (SELECT no FROM ui_sessions ORDER BY last_seen_at DESC LIMIT 1000 OFFSET ?)`,
    ctx.now - IDLE_MS,
    ctx.now - LIFETIME_MS,
    SESSIONS - 1,
  );
  ctx.wakes.add(channels.authority);
}

/**
 * Name of the cookie of this data directory: cookies know hosts but no ports, so daemons on one machine would take each
 * other's away. Needs to write the first time.
 */
export async function sessionCookieName(ctx: Context): Promise<string> {
  const secret = await storedSecret(ctx, "ui");
  return `${SESSION_COOKIE_PREFIX}${hash("sha256", secret, "hex").slice(0, 16)}`;
}

/**
 * The running session these secrets belong to: cookie and proof have to be of the same one. Tells the engine that it was
 * used.
 * @throws {IntercomError} UNAUTHENTICATED with `details.reason` `unknown` or `expired`
 */
export async function requireSession(ctx: Context, secrets: SessionSecrets): Promise<SessionRow> {
  const row = await ctx.tx.get<SessionRow>(`${SELECT} WHERE proof_hash = ?`, secrets.proofHash);
  if (!row || !secrets.cookieHashes.includes(row.cookieHash)) {
    throw refused("This browser is not signed in, or no longer", "unknown");
  }
  if (expiryOf(row) <= ctx.now) throw refused("This browser's session has expired", "expired");
  if (ctx.now - row.lastSeenAt >= MINUTE_MS) ctx.sessionUsed(row.no);
  return row;
}

/** Notes that a session was used now. */
export async function touchSession(ctx: Context, no: number): Promise<void> {
  await ctx.tx.run("UPDATE ui_sessions SET last_seen_at = ? WHERE no = ?", ctx.now, no);
}

/** The session of a request, for the browser it belongs to. @throws {IntercomError} as {@link requireSession} */
export async function currentSession(ctx: Context, secrets: SessionSecrets): Promise<UiSession> {
  return toSession(await requireSession(ctx, secrets), true);
}

export async function listUiSessions(ctx: Context, caller: AdminCaller): Promise<UiSession[]> {
  const rows = await ctx.tx.all<SessionRow>(`${SELECT} ORDER BY no`);
  return rows.filter((row) => expiryOf(row) > ctx.now).map((row) => toSession(row, row.no === caller.sessionNo));
}

export async function endUiSession(
  ctx: Context,
  _caller: AdminCaller,
  input: ParsedInput<"endUiSession">,
): Promise<{ ended: boolean }> {
  const ended = (await ctx.tx.run("DELETE FROM ui_sessions WHERE id = ?", input.sessionId)) > 0;
  if (ended) ctx.wakes.add(channels.authority);
  return { ended };
}

/** Ends the session of a request. It is no failure when there is none any more. */
export async function endOwnSession(ctx: Context, secrets: SessionSecrets): Promise<boolean> {
  const row = await ctx.tx.get<SessionRow>(`${SELECT} WHERE proof_hash = ?`, secrets.proofHash);
  if (!row || !secrets.cookieHashes.includes(row.cookieHash)) return false;
  await ctx.tx.run("DELETE FROM ui_sessions WHERE no = ?", row.no);
  ctx.wakes.add(channels.authority);
  return true;
}
