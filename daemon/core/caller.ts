import { type Authority, IntercomError, type LinkPolicy, type RefusalReason } from "../../protocol/index.ts";
import type { Context } from "./context.ts";

export interface Scope {
  readonly no: number;
  readonly id: string;
  readonly linkPolicy: LinkPolicy;
}

export interface AdminCaller {
  readonly kind: "admin";
}

/** The owner of a scope: by scope token, or by the admin credential that names the scope. */
export interface OwnerCaller {
  readonly kind: "owner";
  readonly scope: Scope;
  readonly via: "scope" | "owner";
}

/** One current execution of one agent. */
export interface AgentCaller {
  readonly kind: "agent";
  readonly scope: Scope;
  readonly agentNo: number;
  readonly agentId: string;
  readonly executionNo: number;
  readonly executionId: string;
  readonly leaseExpiresAt: number;
}

export type Caller = AdminCaller | OwnerCaller | AgentCaller;

export type CallerFor<A extends Authority> = A extends "agent" | "agent-expired-ok"
  ? AgentCaller
  : A extends "scope"
    ? OwnerCaller
    : A extends "scope-or-agent"
      ? OwnerCaller | AgentCaller
      : A extends "admin"
        ? AdminCaller
        : undefined;

/** What a door knows of whoever calls. */
export interface Credentials {
  /** Digest of the bearer token; the token itself goes no further than the door. */
  readonly tokenHash: string | undefined;
  /** The token is the daemon's admin token. */
  readonly isAdmin: boolean;
  /** Content of the `Intercom-Scope` header. */
  readonly scopeId: string | undefined;
}

function unauthenticated(message: string, reason: RefusalReason): IntercomError {
  return new IntercomError("UNAUTHENTICATED", message, { reason });
}

/**
 * Turns credentials into a caller. Runs inside the transaction that acts, so that a credential which was replaced,
 * rotated or has run out a moment ago does nothing.
 */
export async function authenticate(
  ctx: Context,
  authority: Authority,
  credentials: Credentials,
): Promise<Caller | undefined> {
  switch (authority) {
    case "none":
      return undefined;
    case "admin":
      return requireAdmin(credentials);
    case "scope":
      return requireOwner(ctx, credentials);
    case "agent":
      return requireAgent(ctx, credentials, false);
    case "agent-expired-ok":
      return requireAgent(ctx, credentials, true);
    case "scope-or-agent": {
      const execution =
        credentials.tokenHash === undefined ? undefined : await findExecution(ctx, credentials.tokenHash);
      return execution ? checkExecution(ctx, execution, false) : requireOwner(ctx, credentials);
    }
  }
}

/** Needs no stored data, so what only the admin may do works while storage does not. @throws UNAUTHENTICATED */
export function requireAdmin(credentials: Credentials): AdminCaller {
  if (credentials.isAdmin) return { kind: "admin" };
  throw unauthenticated("Invalid admin token", credentials.tokenHash ? "unknown" : "missing");
}

async function requireOwner(ctx: Context, credentials: Credentials): Promise<OwnerCaller> {
  if (credentials.isAdmin && credentials.scopeId !== undefined) {
    const scope = await ctx.tx.get<Scope>(
      "SELECT no, id, link_policy AS linkPolicy FROM scopes WHERE id = ?",
      credentials.scopeId,
    );
    if (!scope) throw new IntercomError("NOT_FOUND", `Scope ${credentials.scopeId} does not exist`);
    return { kind: "owner", scope, via: "owner" };
  }
  if (credentials.tokenHash === undefined) throw unauthenticated("Invalid scope token", "missing");
  const scope = await ctx.tx.get<Scope>(
    "SELECT no, id, link_policy AS linkPolicy FROM scopes WHERE token_hash = ?",
    credentials.tokenHash,
  );
  if (scope) {
    if (credentials.scopeId !== undefined && credentials.scopeId !== scope.id) {
      throw new IntercomError("PERMISSION_DENIED", "Intercom-Scope names another scope than the token's own");
    }
    return { kind: "owner", scope, via: "scope" };
  }
  const execution = await findExecution(ctx, credentials.tokenHash);
  if (execution && isCurrent(execution) && execution.leaseExpiresAt > ctx.now) {
    throw new IntercomError("PERMISSION_DENIED", "Scope authority is required");
  }
  throw unauthenticated("Invalid scope token", "unknown");
}

interface ExecutionRow {
  readonly no: number;
  readonly id: string;
  readonly leaseExpiresAt: number;
  readonly endReason: string | null;
  readonly agentNo: number;
  readonly agentId: string;
  /** The agent's newest execution, which may be another one. */
  readonly newestNo: number;
  readonly scopeNo: number;
  readonly scopeId: string;
  readonly linkPolicy: LinkPolicy;
}

async function findExecution(ctx: Context, tokenHash: string): Promise<ExecutionRow | undefined> {
  return ctx.tx.get<ExecutionRow>(
    `SELECT e.no, e.id, e.lease_expires_at AS leaseExpiresAt, e.end_reason AS endReason,
            a.no AS agentNo, a.id AS agentId, a.execution_no AS newestNo, s.no AS scopeNo, s.id AS scopeId, s.link_policy AS linkPolicy
       FROM executions e JOIN agents a ON a.no = e.agent_no JOIN scopes s ON s.no = a.scope_no
      WHERE e.token_hash = ?`,
    tokenHash,
  );
}

function isCurrent(execution: ExecutionRow): boolean {
  return execution.endReason === null;
}

async function requireAgent(ctx: Context, credentials: Credentials, expiredOk: boolean): Promise<AgentCaller> {
  if (credentials.tokenHash === undefined) throw unauthenticated("Invalid agent token", "missing");
  const execution = await findExecution(ctx, credentials.tokenHash);
  if (!execution) throw unauthenticated("Invalid agent token", "unknown");
  return checkExecution(ctx, execution, expiredOk);
}

function checkExecution(ctx: Context, execution: ExecutionRow, expiredOk: boolean): AgentCaller {
  const { endReason } = execution;
  // Also where it had ended before: whoever came after it must not be pushed out again.
  if (execution.no !== execution.newestNo) throw unauthenticated("Agent execution is no longer current", "replaced");
  // Retiring is repeatable, so only an execution that somebody else ended is refused there.
  if (!expiredOk) {
    if (endReason === "expired" || (endReason === null && execution.leaseExpiresAt <= ctx.now)) {
      throw unauthenticated("Agent execution lease has expired", "expired");
    }
    if (endReason !== null) throw unauthenticated("Agent execution is no longer current", "retired");
  } else if (endReason !== null && endReason !== "expired" && endReason !== "retired") {
    throw unauthenticated("Agent execution is no longer current", "retired");
  }
  return {
    kind: "agent",
    scope: { no: execution.scopeNo, id: execution.scopeId, linkPolicy: execution.linkPolicy },
    agentNo: execution.agentNo,
    agentId: execution.agentId,
    executionNo: execution.no,
    executionId: execution.id,
    leaseExpiresAt: execution.leaseExpiresAt,
  };
}
