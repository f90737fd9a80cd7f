import { type Agent, IntercomError, LIMITS, type ParsedInput, type Registration } from "../../protocol/index.ts";
import { agentByNo, agentNoOf, isReachable } from "./agents.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { endExecution, type OpenExecution } from "./executions.ts";
import { link } from "./links.ts";
import { beginExecution, findAgent } from "./registration.ts";

/** An agent's execution from registration over heartbeats to retirement. */

/** 0 and nothing mean the lease that is usual. */
export function leaseOf(leaseMs: number | undefined): number {
  return leaseMs === undefined || leaseMs === 0 ? LIMITS.leaseDefaultMs : leaseMs;
}

export async function registerAgent(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"registerAgent">,
): Promise<Registration> {
  const { scope } = caller;
  const agentId = input.id ?? ctx.ids.next("agent");
  const known = await findAgent(ctx, scope.no, agentId);
  if (input.unlessRunning && known && isReachable(known, ctx.now)) {
    throw new IntercomError("CONFLICT", `Agent ${agentId} is running already`, { reason: "running", agentId });
  }
  const { agentNo, registration } = await beginExecution(ctx, {
    scope,
    agentId,
    known,
    description: {
      displayName: input.displayName,
      capabilities: input.capabilities ?? [],
      summary: input.summary,
      metadata: input.metadata,
      notices: input.notices ?? true,
    },
    leaseMs: leaseOf(input.leaseMs),
  });
  // The owner has given it to somebody else: no connector may take it from there.
  if (known?.connected) await ctx.tx.run("DELETE FROM connector_agents WHERE agent_no = ?", agentNo);
  for (const peerId of input.connectTo ?? []) {
    if (peerId === agentId) throw new IntercomError("INVALID_ARGUMENT", "connectTo: expected other agents than itself");
    const peerNo = await agentNoOf(ctx, scope.no, peerId);
    await link(ctx, scope, { no: agentNo, id: agentId }, { no: peerNo, id: peerId });
  }
  return registration;
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
    const execution = {
      no: caller.executionNo,
      id: caller.executionId,
      agentNo: caller.agentNo,
      agentId: caller.agentId,
      scopeNo: caller.scope.no,
    };
    await takeOffline(ctx, execution, "retired");
    await ctx.tx.run("UPDATE agents SET last_seen_at = ? WHERE no = ?", ctx.now, caller.agentNo);
  }
  return { retired: true };
}

/** Ends an execution and tells everybody that its agent is not there any more. */
export async function takeOffline(
  ctx: Context,
  execution: OpenExecution,
  reason: "retired" | "revoked",
): Promise<void> {
  await endExecution(ctx, execution, reason);
  await ctx.tx.run(
    "UPDATE agents SET lifecycle = 'offline', ready = 0, updated_at = ? WHERE no = ?",
    ctx.now,
    execution.agentNo,
  );
  await recordEvent(ctx, execution.scopeNo, "agent.lifecycle_changed", execution.agentId, {
    executionId: execution.id,
    lifecycle: "offline",
    ready: false,
    reason,
  });
}
