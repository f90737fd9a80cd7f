import {
  type Agent,
  type AgentMetadata,
  type Capability,
  IntercomError,
  LIMITS,
  type Lifecycle,
  type ParsedInput,
} from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { fromJson, optional, page, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { endExecution } from "./executions.ts";
import { ACTIVE } from "./message-rows.ts";
import { cardChanged, disablePublicationOf } from "./publication-rows.ts";

interface AgentRow {
  readonly no: number;
  readonly id: string;
  readonly displayName: string;
  readonly capabilities: string;
  readonly lifecycle: Lifecycle;
  readonly ready: number;
  readonly summary: string | null;
  readonly metadata: string | null;
  readonly registeredAt: number;
  readonly updatedAt: number;
  readonly lastSeenAt: number;
  readonly executionId: string;
  readonly leaseExpiresAt: number;
  readonly endedAt: number | null;
  readonly undelivered: number;
  readonly unanswered: number;
}

// Notices of the daemon (sender -1) are nothing an agent owes to anybody.
const SELECT_AGENT = `
  SELECT a.no, a.id, a.display_name AS displayName, a.capabilities, a.lifecycle, a.ready, a.summary, a.metadata,
         a.registered_at AS registeredAt, a.updated_at AS updatedAt, a.last_seen_at AS lastSeenAt,
         e.id AS executionId, e.lease_expires_at AS leaseExpiresAt, e.ended_at AS endedAt,
         (SELECT COUNT(*) FROM messages m WHERE m.recipient_no = a.no AND m.state IN ('queued', 'reserved')
             AND m.${ACTIVE} AND m.sender_no <> -1) AS undelivered,
         (SELECT COUNT(*) FROM messages m WHERE m.recipient_no = a.no AND m.mode = 'request' AND m.replied_at IS NULL
             AND m.state IN ('delivered', 'acknowledged')) AS unanswered
    FROM agents a JOIN executions e ON e.no = a.execution_no`;

/** Whether somebody is there: the lease runs and the agent has not said it is offline. */
export function isReachable(
  row: { lifecycle: Lifecycle; leaseExpiresAt: number; endedAt: number | null },
  now: number,
): boolean {
  return row.endedAt === null && row.leaseExpiresAt > now && row.lifecycle !== "offline";
}

function toAgent(row: AgentRow, now: number): Agent {
  const reachable = isReachable(row, now);
  return {
    id: row.id,
    displayName: row.displayName,
    capabilities: fromJson<Capability[]>(row.capabilities),
    // Nobody looks available who is not there.
    lifecycle: reachable ? row.lifecycle : "offline",
    ready: reachable && row.ready === 1,
    reachable,
    executionId: row.executionId,
    registeredAt: toInstant(row.registeredAt),
    updatedAt: toInstant(row.updatedAt),
    lastSeenAt: toInstant(row.lastSeenAt),
    ...optional("summary", row.summary),
    ...optional("metadata", row.metadata === null ? null : fromJson<AgentMetadata>(row.metadata)),
    owes: { undelivered: row.undelivered, unanswered: row.unanswered },
  };
}

/** Number of an agent that is on the list, or with `removedToo` ever was. @throws NOT_FOUND */
export async function agentNoOf(
  ctx: Context,
  scopeNo: number,
  agentId: string,
  { removedToo = false }: { readonly removedToo?: boolean } = {},
): Promise<number> {
  const row = await ctx.tx.get<{ no: number; removedAt: number | null }>(
    "SELECT no, removed_at AS removedAt FROM agents WHERE scope_no = ? AND id = ?",
    scopeNo,
    agentId,
  );
  if (!row || (row.removedAt !== null && !removedToo))
    throw new IntercomError("NOT_FOUND", `Agent ${agentId} does not exist`);
  return row.no;
}

export async function agentByNo(ctx: Context, agentNo: number): Promise<Agent> {
  const row = await ctx.tx.get<AgentRow>(`${SELECT_AGENT} WHERE a.no = ?`, agentNo);
  return toAgent(row as AgentRow, ctx.now);
}

export async function listAgents(ctx: Context, caller: OwnerCaller): Promise<Agent[]> {
  const rows = await ctx.tx.all<AgentRow>(
    `${SELECT_AGENT} WHERE a.scope_no = ? AND a.removed_at IS NULL ORDER BY a.registered_at, a.no`,
    caller.scope.no,
  );
  return rows.map((row) => toAgent(row, ctx.now));
}

export async function listAgentsPage(ctx: Context, caller: OwnerCaller, input: ParsedInput<"listAgentsPage">) {
  const limit = input.limit ?? LIMITS.pageDefault;
  const rows = await ctx.tx.all<AgentRow>(
    `${SELECT_AGENT} WHERE a.scope_no = ? AND a.id > ? AND a.removed_at IS NULL ORDER BY a.id LIMIT ?`,
    caller.scope.no,
    input.after ?? "",
    limit + 1,
  );
  const { items, ...rest } = page(rows, limit, (row) => row.id);
  return { agents: items.map((row) => toAgent(row, ctx.now)), ...rest };
}

export async function getAgent(ctx: Context, caller: OwnerCaller, input: ParsedInput<"getAgent">): Promise<Agent> {
  return agentByNo(ctx, await agentNoOf(ctx, caller.scope.no, input.agentId));
}

export async function removeAgent(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"removeAgent">,
): Promise<{ removed: boolean }> {
  const row = await ctx.tx.get<{ agentNo: number; executionNo: number; executionId: string }>(
    `SELECT a.no AS agentNo, e.no AS executionNo, e.id AS executionId
       FROM agents a JOIN executions e ON e.no = a.execution_no
      WHERE a.scope_no = ? AND a.id = ? AND a.removed_at IS NULL`,
    caller.scope.no,
    input.agentId,
  );
  if (!row) return { removed: false };
  await endExecution(
    ctx,
    {
      no: row.executionNo,
      id: row.executionId,
      agentNo: row.agentNo,
      agentId: input.agentId,
      scopeNo: caller.scope.no,
    },
    "removed",
  );
  await ctx.tx.run("UPDATE agents SET removed_at = ?, updated_at = ? WHERE no = ?", ctx.now, ctx.now, row.agentNo);
  await recordEvent(ctx, caller.scope.no, "agent.removed", input.agentId, { executionId: row.executionId });
  await disablePublicationOf(ctx, caller.scope, row.agentNo);
  return { removed: true };
}

export async function whoAmI(ctx: Context, caller: AgentCaller) {
  return {
    identity: {
      scopeId: caller.scope.id,
      agentId: caller.agentId,
      executionId: caller.executionId,
      leaseExpiresAt: toInstant(caller.leaseExpiresAt),
    },
    agent: await agentByNo(ctx, caller.agentNo),
  };
}

const PROFILE_FIELDS = ["displayName", "summary", "metadata", "capabilities"] as const;

export async function updateProfile(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"updateProfile">,
): Promise<Agent> {
  const given = {
    displayName: input.displayName ?? null,
    summary: input.summary ?? null,
    metadata: input.metadata === undefined ? null : JSON.stringify(input.metadata),
    capabilities: input.capabilities === undefined ? null : JSON.stringify(input.capabilities),
  };
  const before = await ctx.tx.get<Record<keyof typeof given, string | null>>(
    "SELECT display_name AS displayName, summary, metadata, capabilities FROM agents WHERE no = ?",
    caller.agentNo,
  );
  const differs = (field: keyof typeof given) => given[field] !== null && given[field] !== before?.[field];
  // A call that is repeated changes nothing, so there is nothing to tell of.
  if (!PROFILE_FIELDS.some(differs)) return agentByNo(ctx, caller.agentNo);
  await ctx.tx.run(
    `UPDATE agents SET display_name = COALESCE(?, display_name), summary = COALESCE(?, summary),
            metadata = COALESCE(?, metadata), capabilities = COALESCE(?, capabilities), updated_at = ? WHERE no = ?`,
    given.displayName,
    given.summary,
    given.metadata,
    given.capabilities,
    ctx.now,
    caller.agentNo,
  );
  if (differs("displayName") || differs("capabilities")) await cardChanged(ctx, caller.agentNo);
  await recordEvent(ctx, caller.scope.no, "agent.profile_changed", caller.agentId, { executionId: caller.executionId });
  return agentByNo(ctx, caller.agentNo);
}

export async function listPeers(ctx: Context, caller: AgentCaller): Promise<Agent[]> {
  const rows = await peerRows(ctx, caller.scope, caller.agentNo);
  return rows.map((row) => toAgent(row, ctx.now));
}

async function peerRows(ctx: Context, scope: Scope, agentNo: number): Promise<AgentRow[]> {
  if (scope.linkPolicy === "open") {
    return ctx.tx.all<AgentRow>(
      `${SELECT_AGENT} WHERE a.scope_no = ? AND a.no <> ? AND a.removed_at IS NULL ORDER BY a.registered_at, a.no`,
      scope.no,
      agentNo,
    );
  }
  return ctx.tx.all<AgentRow>(
    `${SELECT_AGENT} WHERE a.removed_at IS NULL AND a.no IN (
        SELECT c.right_no FROM conversations c WHERE c.left_no = ? AND c.linked_at IS NOT NULL
        UNION SELECT c.left_no FROM conversations c WHERE c.right_no = ? AND c.linked_at IS NOT NULL)
      ORDER BY a.registered_at, a.no`,
    agentNo,
    agentNo,
  );
}
