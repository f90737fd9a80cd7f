import {
  type Agent,
  IntercomError,
  LIMITS,
  type Lifecycle,
  type ParsedInput,
  type Registration,
} from "../../protocol/index.ts";
import { agentByNo, agentNoOf, isReachable } from "./agents.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { toInstant, tokenHash } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { endExecution } from "./executions.ts";
import { link } from "./links.ts";
import { cardChanged } from "./publication-rows.ts";

/** An agent's execution from registration over heartbeats to retirement. */

function leaseOf(leaseMs: number | undefined): number {
  return leaseMs === undefined || leaseMs === 0 ? LIMITS.leaseDefaultMs : leaseMs;
}

export async function registerAgent(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"registerAgent">,
): Promise<Registration> {
  const agentId = input.id ?? ctx.ids.next("agent");
  const agentNo = await upsertAgent(ctx, caller.scope.no, agentId, input);
  const executionId = ctx.ids.next("execution");
  const agentToken = ctx.ids.token();
  const leaseExpiresAt = ctx.now + leaseOf(input.leaseMs);
  const execution = await ctx.tx.get<{ no: number }>(
    "INSERT INTO executions (id, agent_no, token_hash, lease_expires_at, created_at) VALUES (?, ?, ?, ?, ?) RETURNING no",
    executionId,
    agentNo,
    tokenHash(agentToken),
    leaseExpiresAt,
    ctx.now,
  );
  await ctx.tx.run("UPDATE agents SET execution_no = ? WHERE no = ?", (execution as { no: number }).no, agentNo);
  ctx.deadline(leaseExpiresAt);
  await recordEvent(ctx, caller.scope.no, "agent.registered", agentId, {
    executionId,
    lifecycle: "starting",
    ready: false,
    leaseExpiresAt: toInstant(leaseExpiresAt),
  });
  for (const peerId of input.connectTo ?? []) {
    if (peerId === agentId) throw new IntercomError("INVALID_ARGUMENT", "connectTo: expected other agents than itself");
    const peerNo = await agentNoOf(ctx, caller.scope.no, peerId);
    await link(ctx, caller.scope, { no: agentNo, id: agentId }, { no: peerNo, id: peerId });
  }
  return { scopeId: caller.scope.id, agentId, executionId, agentToken, leaseExpiresAt: toInstant(leaseExpiresAt) };
}

interface Registered {
  readonly lifecycle: Lifecycle;
  readonly leaseExpiresAt: number;
  readonly endedAt: number | null;
  readonly no: number;
  readonly displayName: string;
  readonly capabilities: string;
  readonly executionNo: number;
  readonly executionId: string;
}

/** Makes the agent, or ends the execution it has and gives it its new description. */
async function upsertAgent(
  ctx: Context,
  scopeNo: number,
  agentId: string,
  input: ParsedInput<"registerAgent">,
): Promise<number> {
  const existing = await ctx.tx.get<Registered>(
    `SELECT a.no, a.display_name AS displayName, a.capabilities, e.no AS executionNo, e.id AS executionId,
            a.lifecycle, e.lease_expires_at AS leaseExpiresAt, e.ended_at AS endedAt
       FROM agents a JOIN executions e ON e.no = a.execution_no WHERE a.scope_no = ? AND a.id = ?`,
    scopeNo,
    agentId,
  );
  if (input.unlessRunning && existing && isReachable(existing, ctx.now)) {
    throw new IntercomError("CONFLICT", `Agent ${agentId} is running already`, { reason: "running", agentId });
  }
  const description = [
    input.displayName,
    JSON.stringify(input.capabilities ?? []),
    input.summary ?? null,
    input.metadata === undefined ? null : JSON.stringify(input.metadata),
    input.notices === false ? 0 : 1,
    ctx.now,
    ctx.now,
    ctx.now,
  ] as const;
  if (!existing) {
    const row = await ctx.tx.get<{ no: number }>(
      `INSERT INTO agents (scope_no, id, display_name, capabilities, summary, metadata, notices,
                           registered_at, updated_at, last_seen_at, lifecycle, ready)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'starting', 0) RETURNING no`,
      scopeNo,
      agentId,
      ...description,
    );
    return (row as { no: number }).no;
  }
  await endExecution(
    ctx,
    { no: existing.executionNo, id: existing.executionId, agentNo: existing.no, agentId, scopeNo },
    "replaced",
  );
  await ctx.tx.run(
    `UPDATE agents SET display_name = ?, capabilities = ?, summary = ?, metadata = ?, notices = ?, registered_at = ?,
            updated_at = ?, last_seen_at = ?, lifecycle = 'starting', ready = 0, removed_at = NULL WHERE no = ?`,
    ...description,
    existing.no,
  );
  const [displayName, capabilities] = description;
  if (displayName !== existing.displayName || capabilities !== existing.capabilities)
    await cardChanged(ctx, existing.no);
  return existing.no;
}

export async function heartbeat(ctx: Context, caller: AgentCaller, input: ParsedInput<"heartbeat">): Promise<Agent> {
  const before = await ctx.tx.get<{ lifecycle: string; ready: number; updatedAt: number }>(
    "SELECT lifecycle, ready, updated_at AS updatedAt FROM agents WHERE no = ?",
    caller.agentNo,
  );
  const { lifecycle, ready } = input;
  const leaseExpiresAt = ctx.now + leaseOf(input.leaseMs);
  await ctx.tx.run("UPDATE executions SET lease_expires_at = ? WHERE no = ?", leaseExpiresAt, caller.executionNo);
  await ctx.tx.run(
    `UPDATE agents SET lifecycle = ?, ready = ?, summary = COALESCE(?, summary), updated_at = ?, last_seen_at = ?
      WHERE no = ?`,
    lifecycle,
    ready ? 1 : 0,
    input.summary ?? null,
    ctx.now,
    ctx.now,
    caller.agentNo,
  );
  ctx.deadline(leaseExpiresAt);
  const wasReady = before?.ready === 1;
  if (before?.lifecycle !== lifecycle || wasReady !== ready) {
    await recordEvent(ctx, caller.scope.no, "agent.lifecycle_changed", caller.agentId, {
      executionId: caller.executionId,
      lifecycle,
      ready,
      leaseExpiresAt: toInstant(leaseExpiresAt),
    });
  }
  // Saying "ready" promises to take what waits, so a read that waits is told to look.
  if (ready && !wasReady) ctx.wakes.add(channels.inbox(caller.agentNo));
  return agentByNo(ctx, caller.agentNo);
}

export async function retire(ctx: Context, caller: AgentCaller): Promise<{ retired: true }> {
  const current = await ctx.tx.get(
    "SELECT 1 AS found FROM executions WHERE no = ? AND ended_at IS NULL",
    caller.executionNo,
  );
  if (current) {
    await endExecution(
      ctx,
      {
        no: caller.executionNo,
        id: caller.executionId,
        agentNo: caller.agentNo,
        agentId: caller.agentId,
        scopeNo: caller.scope.no,
      },
      "retired",
    );
    await ctx.tx.run(
      "UPDATE agents SET lifecycle = 'offline', ready = 0, updated_at = ?, last_seen_at = ? WHERE no = ?",
      ctx.now,
      ctx.now,
      caller.agentNo,
    );
    await recordEvent(ctx, caller.scope.no, "agent.lifecycle_changed", caller.agentId, {
      executionId: caller.executionId,
      lifecycle: "offline",
      ready: false,
      reason: "retired",
    });
  }
  return { retired: true };
}
