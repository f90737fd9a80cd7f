import {
  type A2aPrincipal,
  type A2aPrincipalUsage,
  type AgentCardPublication,
  IntercomError,
  type IssuedA2aPrincipal,
  type ParsedInput,
} from "../../protocol/index.ts";
import { unfinishedOf } from "./a2a-tasks.ts";
import { agentNoOf } from "./agents.ts";
import type { OwnerCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import {
  type IssuedPrincipal,
  issuePrincipal,
  listPrincipals,
  type PrincipalRow,
  rotatePrincipal,
  setPrincipalEnabled,
} from "./credentials.ts";
import { toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import {
  type PublicationRow,
  publicationRow,
  publicationUrls,
  SELECT_PUBLICATIONS,
  switchPublication,
} from "./publication-rows.ts";

/** Which agents A2A clients outside the scope may know, and with which credentials they may write to them. */

function toPublication(ctx: Context, scope: Scope, row: PublicationRow): AgentCardPublication {
  return {
    id: row.id,
    scopeId: scope.id,
    agentId: row.agentId,
    enabled: row.enabled === 1,
    ...publicationUrls(ctx, row.id),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

export async function publishAgentCard(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"publishAgentCard">,
): Promise<AgentCardPublication> {
  const { scope } = caller;
  const agentNo = await agentNoOf(ctx, scope.no, input.agentId);
  const existing = await ctx.tx.get<{ id: string }>("SELECT id FROM a2a_publications WHERE agent_no = ?", agentNo);
  if (existing) {
    throw new IntercomError("CONFLICT", `Agent ${input.agentId} is published already`, { publicationId: existing.id });
  }
  const id = ctx.ids.next("publication");
  await ctx.tx.run(
    "INSERT INTO a2a_publications (id, scope_no, agent_no, enabled, created_at, updated_at) VALUES (?, ?, ?, 1, ?, ?)",
    id,
    scope.no,
    agentNo,
    ctx.now,
    ctx.now,
  );
  await recordEvent(ctx, scope.no, "a2a.publication_created", id, { agentId: input.agentId, enabled: true });
  return toPublication(ctx, scope, await publicationRow(ctx, scope, id));
}

export async function listAgentCardPublications(ctx: Context, caller: OwnerCaller): Promise<AgentCardPublication[]> {
  const rows = await ctx.tx.all<PublicationRow>(
    `${SELECT_PUBLICATIONS} WHERE p.scope_no = ? ORDER BY p.no`,
    caller.scope.no,
  );
  return rows.map((row) => toPublication(ctx, caller.scope, row));
}

async function setPublicationEnabled(
  ctx: Context,
  scope: Scope,
  id: string,
  enabled: boolean,
): Promise<AgentCardPublication> {
  await switchPublication(ctx, scope, await publicationRow(ctx, scope, id), enabled);
  return toPublication(ctx, scope, await publicationRow(ctx, scope, id));
}

export async function enableAgentCardPublication(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"enableAgentCardPublication">,
): Promise<AgentCardPublication> {
  return setPublicationEnabled(ctx, caller.scope, input.publicationId, true);
}

export async function disableAgentCardPublication(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"disableAgentCardPublication">,
): Promise<AgentCardPublication> {
  return setPublicationEnabled(ctx, caller.scope, input.publicationId, false);
}

function toPrincipal(scope: Scope, row: PrincipalRow): A2aPrincipal {
  return {
    id: row.id,
    scopeId: scope.id,
    publicationId: row.resourceId,
    label: row.label,
    enabled: row.enabled,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

function toIssued(scope: Scope, { principal, credential }: IssuedPrincipal): IssuedA2aPrincipal {
  return { principal: toPrincipal(scope, principal), credential };
}

export async function createA2aPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"createA2aPrincipal">,
): Promise<IssuedA2aPrincipal> {
  const { scope } = caller;
  const { no } = await publicationRow(ctx, scope, input.publicationId);
  const issue = { kind: "a2a", resourceNo: no, label: input.label, permissions: [] } as const;
  return toIssued(scope, await issuePrincipal(ctx, scope, issue));
}

export async function listA2aPrincipals(ctx: Context, caller: OwnerCaller): Promise<A2aPrincipal[]> {
  return (await listPrincipals(ctx, caller.scope, "a2a")).map((row) => toPrincipal(caller.scope, row));
}

export async function listA2aPrincipalUsage(ctx: Context, caller: OwnerCaller): Promise<A2aPrincipalUsage[]> {
  const usage: A2aPrincipalUsage[] = [];
  for (const row of await listPrincipals(ctx, caller.scope, "a2a")) {
    const unfinished = await unfinishedOf(ctx, row.no);
    usage.push({
      principalId: row.id,
      publicationId: row.resourceId,
      unfinishedMessages: unfinished.messages,
      unfinishedBytes: unfinished.bytes,
      messageLimit: ctx.outside.a2aMessageLimit,
      byteLimit: ctx.outside.a2aByteLimit,
    });
  }
  return usage;
}

export async function rotateA2aPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"rotateA2aPrincipal">,
): Promise<IssuedA2aPrincipal> {
  return toIssued(caller.scope, await rotatePrincipal(ctx, caller.scope, "a2a", input.principalId));
}

export async function enableA2aPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"enableA2aPrincipal">,
): Promise<A2aPrincipal> {
  return toPrincipal(caller.scope, await setPrincipalEnabled(ctx, caller.scope, "a2a", input.principalId, true));
}

export async function disableA2aPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"disableA2aPrincipal">,
): Promise<A2aPrincipal> {
  return toPrincipal(caller.scope, await setPrincipalEnabled(ctx, caller.scope, "a2a", input.principalId, false));
}
