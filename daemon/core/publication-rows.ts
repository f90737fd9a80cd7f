import { IntercomError } from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { recordEvent } from "./events.ts";

/** Publications of agents as they are stored. */

export interface PublicationRow {
  readonly no: number;
  readonly id: string;
  readonly agentNo: number;
  readonly agentId: string;
  readonly enabled: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const SELECT_PUBLICATIONS = `
  SELECT p.no, p.id, p.agent_no AS agentNo, a.id AS agentId, p.enabled, p.created_at AS createdAt, p.updated_at AS updatedAt
    FROM a2a_publications p JOIN agents a ON a.no = p.agent_no`;

/** Where an A2A client finds a publication. */
export function publicationUrls(ctx: Context, publicationId: string) {
  const interfaceUrl = `${ctx.outside.publicUrl}/a2a/agents/${publicationId}`;
  return { interfaceUrl, cardUrl: `${interfaceUrl}/.well-known/agent-card.json` };
}

/** @throws NOT_FOUND */
export async function publicationRow(ctx: Context, scope: Scope, id: string): Promise<PublicationRow> {
  const row = await ctx.tx.get<PublicationRow>(
    `${SELECT_PUBLICATIONS} WHERE p.id = ? AND p.scope_no = ?`,
    id,
    scope.no,
  );
  if (!row) throw new IntercomError("NOT_FOUND", `Publication ${id} does not exist`);
  return row;
}

/** Shows an agent to A2A clients or hides it; nothing happens where that is so already. */
export async function switchPublication(
  ctx: Context,
  scope: Scope,
  row: PublicationRow,
  enabled: boolean,
): Promise<void> {
  if ((row.enabled === 1) === enabled) return;
  await ctx.tx.run(
    "UPDATE a2a_publications SET enabled = ?, updated_at = ? WHERE no = ?",
    enabled ? 1 : 0,
    ctx.now,
    row.no,
  );
  await recordEvent(ctx, scope.no, enabled ? "a2a.publication_enabled" : "a2a.publication_disabled", row.id, {
    agentId: row.agentId,
    enabled,
  });
}

/** An agent that was taken off the list is no longer shown to anybody outside either. */
export async function disablePublicationOf(ctx: Context, scope: Scope, agentNo: number): Promise<void> {
  const row = await ctx.tx.get<PublicationRow>(`${SELECT_PUBLICATIONS} WHERE p.agent_no = ?`, agentNo);
  if (row) await switchPublication(ctx, scope, row, false);
}

/** The agent's Agent Card, if it has one, says something else from now on. */
export async function cardChanged(ctx: Context, agentNo: number): Promise<void> {
  await ctx.tx.run("UPDATE a2a_publications SET updated_at = ? WHERE agent_no = ?", ctx.now, agentNo);
}
