import type { Context } from "./context.ts";
import { tokenHash } from "./encoding.ts";

/** What has to be stored about sessions of MCP: next to nothing, since their ids are signed. */

export async function isSessionEnded(ctx: Context, sessionId: string): Promise<boolean> {
  const found = await ctx.tx.get(
    "SELECT 1 AS found FROM ended_mcp_sessions WHERE session_hash = ?",
    tokenHash(sessionId),
  );
  return found !== undefined;
}

/** @param forgetBefore instant from before which no session id is good any more, ms since the epoch */
export async function recordEndedSession(ctx: Context, sessionId: string, forgetBefore: number): Promise<void> {
  await ctx.tx.run("DELETE FROM ended_mcp_sessions WHERE ended_at < ?", forgetBefore);
  await ctx.tx.run(
    "INSERT INTO ended_mcp_sessions (session_hash, ended_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
    tokenHash(sessionId),
    ctx.now,
  );
}
