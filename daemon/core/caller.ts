import {
  type Authority,
  IntercomError,
  type LinkPolicy,
  type OutputPermission,
  type RefusalReason,
  type ToolSetName,
} from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import type { PrincipalKind } from "./credentials.ts";
import { fromJson } from "./encoding.ts";
import { requireSession, type SessionSecrets } from "./ui-sessions.ts";

export interface Scope {
  readonly no: number;
  readonly id: string;
  readonly linkPolicy: LinkPolicy;
}

export interface AdminCaller {
  readonly kind: "admin";
  /** The browser session it acts through, if it does. */
  readonly sessionNo?: number;
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

/** Somebody outside the scope, with access to one resource of it. */
export interface PrincipalCaller {
  readonly kind: "principal";
  readonly scope: Scope;
  readonly principalNo: number;
  readonly principalId: string;
  /** Number of the stream or publication the credential is for. */
  readonly resourceNo: number;
}

/** A client of MCP that is about to become an agent. */
export interface ConnectorCaller {
  readonly kind: "connector";
  readonly scope: Scope;
  readonly connectorNo: number;
  readonly connectorId: string;
  readonly toolSet: ToolSetName;
}

export type Caller = AdminCaller | OwnerCaller | AgentCaller | PrincipalCaller | ConnectorCaller;

interface Callers {
  none: undefined;
  admin: AdminCaller;
  scope: OwnerCaller;
  agent: AgentCaller;
  "agent-expired-ok": AgentCaller;
  "scope-or-agent": OwnerCaller | AgentCaller;
  "output-publish": AgentCaller | PrincipalCaller;
  "output-read": OwnerCaller | PrincipalCaller;
  a2a: PrincipalCaller;
  connector: ConnectorCaller;
}

export type CallerFor<A extends Authority> = Callers[A];

/** What a door knows of whoever calls. */
export interface Credentials {
  /** Digest of the bearer token; the token itself goes no further than the door. */
  readonly tokenHash: string | undefined;
  /** The token is the daemon's admin token. */
  readonly isAdmin: boolean;
  /** Content of the `Intercom-Scope` header. */
  readonly scopeId: string | undefined;
  /** What a page of the daemon's own origin came with instead of a token. */
  readonly session?: SessionSecrets | undefined;
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
      return (await findAdmin(ctx, credentials)) ?? requireAdmin(credentials);
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
    case "output-publish": {
      const execution =
        credentials.tokenHash === undefined ? undefined : await findExecution(ctx, credentials.tokenHash);
      return execution
        ? checkExecution(ctx, execution, false)
        : requirePrincipal(ctx, credentials, "output", "publish");
    }
    case "output-read": {
      const owner = await findOwner(ctx, credentials);
      return owner ?? requirePrincipal(ctx, credentials, "output", "read");
    }
    case "a2a":
      return requirePrincipal(ctx, credentials, "a2a");
    case "connector":
      return requireConnector(ctx, credentials);
  }
}

/** The admin these credentials stand for. @throws UNAUTHENTICATED for a browser session that is none any more */
async function findAdmin(ctx: Context, { isAdmin, session }: Credentials): Promise<AdminCaller | undefined> {
  if (isAdmin) return { kind: "admin" };
  return session && { kind: "admin", sessionNo: (await requireSession(ctx, session)).no };
}

/** Needs no stored data, so what only the admin may do works while storage does not. @throws UNAUTHENTICATED */
export function requireAdmin(credentials: Credentials): AdminCaller {
  if (credentials.isAdmin) return { kind: "admin" };
  throw unauthenticated("Invalid admin token", credentials.tokenHash ? "unknown" : "missing");
}

/** @throws {IntercomError} UNAUTHENTICATED or PERMISSION_DENIED */
export async function requireOwner(ctx: Context, credentials: Credentials): Promise<OwnerCaller> {
  const owner = await findOwner(ctx, credentials);
  if (owner) return owner;
  if (credentials.tokenHash === undefined) {
    throw unauthenticated("Invalid scope token", credentials.session ? "unknown" : "missing");
  }
  const execution = await findExecution(ctx, credentials.tokenHash);
  const live = execution && isCurrent(execution) && execution.leaseExpiresAt > ctx.now;
  const { tokenHash } = credentials;
  if (live || (await findPrincipal(ctx, tokenHash)) || (await findConnector(ctx, tokenHash))) {
    throw new IntercomError("PERMISSION_DENIED", "Scope authority is required");
  }
  throw unauthenticated("Invalid scope token", "unknown");
}

/** The owner these credentials stand for; undefined when they stand for nobody or somebody else. */
async function findOwner(ctx: Context, credentials: Credentials): Promise<OwnerCaller | undefined> {
  if (credentials.scopeId !== undefined && (await findAdmin(ctx, credentials))) {
    const scope = await ctx.tx.get<Scope>(
      "SELECT no, id, link_policy AS linkPolicy FROM scopes WHERE id = ?",
      credentials.scopeId,
    );
    if (!scope) throw new IntercomError("NOT_FOUND", `Scope ${credentials.scopeId} does not exist`);
    return { kind: "owner", scope, via: "owner" };
  }
  if (credentials.tokenHash === undefined) return undefined;
  const scope = await ctx.tx.get<Scope>(
    "SELECT no, id, link_policy AS linkPolicy FROM scopes WHERE token_hash = ?",
    credentials.tokenHash,
  );
  if (!scope) return undefined;
  if (credentials.scopeId !== undefined && credentials.scopeId !== scope.id) {
    throw new IntercomError("PERMISSION_DENIED", "Intercom-Scope names another scope than the token's own");
  }
  return { kind: "owner", scope, via: "scope" };
}

interface FoundPrincipal {
  readonly no: number;
  readonly id: string;
  readonly kind: string;
  readonly permissions: string;
  readonly resourceNo: number;
  readonly scopeNo: number;
  readonly scopeId: string;
  readonly linkPolicy: LinkPolicy;
}

/** The enabled credential with this digest; one of a disabled publication is none. */
async function findPrincipal(ctx: Context, hash: string): Promise<FoundPrincipal | undefined> {
  return ctx.tx.get<FoundPrincipal>(
    `SELECT p.no, p.id, p.kind, p.permissions, p.resource_no AS resourceNo, s.no AS scopeNo, s.id AS scopeId,
            s.link_policy AS linkPolicy
       FROM principals p JOIN scopes s ON s.no = p.scope_no
      WHERE p.token_hash = ? AND p.enabled = 1
        AND (p.kind <> 'a2a' OR EXISTS (SELECT 1 FROM a2a_publications a WHERE a.no = p.resource_no AND a.enabled = 1))`,
    hash,
  );
}

async function requirePrincipal(
  ctx: Context,
  credentials: Credentials,
  kind: PrincipalKind,
  permission?: OutputPermission,
): Promise<PrincipalCaller> {
  const message = kind === "a2a" ? "Invalid A2A credential" : "Invalid output credential";
  if (credentials.tokenHash === undefined) throw unauthenticated(message, "missing");
  const found = await findPrincipal(ctx, credentials.tokenHash);
  // Which part does not fit stays unsaid: whoever holds one credential learns nothing of what others may do.
  if (found?.kind !== kind || (permission && !fromJson<string[]>(found.permissions).includes(permission))) {
    throw unauthenticated(message, "unknown");
  }
  return {
    kind: "principal",
    scope: { no: found.scopeNo, id: found.scopeId, linkPolicy: found.linkPolicy },
    principalNo: found.no,
    principalId: found.id,
    resourceNo: found.resourceNo,
  };
}

interface FoundConnector {
  readonly no: number;
  readonly id: string;
  readonly toolSet: ToolSetName;
  readonly scopeNo: number;
  readonly scopeId: string;
  readonly linkPolicy: LinkPolicy;
}

async function findConnector(ctx: Context, hash: string): Promise<FoundConnector | undefined> {
  return ctx.tx.get<FoundConnector>(
    `SELECT c.no, c.id, c.tool_set AS toolSet, s.no AS scopeNo, s.id AS scopeId, s.link_policy AS linkPolicy
       FROM connectors c JOIN scopes s ON s.no = c.scope_no WHERE c.token_hash = ?`,
    hash,
  );
}

async function requireConnector(ctx: Context, credentials: Credentials): Promise<ConnectorCaller> {
  const message = "Invalid connector credential";
  if (credentials.tokenHash === undefined) throw unauthenticated(message, "missing");
  const found = await findConnector(ctx, credentials.tokenHash);
  if (!found) throw unauthenticated(message, "unknown");
  return {
    kind: "connector",
    scope: { no: found.scopeNo, id: found.scopeId, linkPolicy: found.linkPolicy },
    connectorNo: found.no,
    connectorId: found.id,
    toolSet: found.toolSet,
  };
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
  /** The token is one that a later connection of the same session has replaced. */
  readonly superseded: number;
  readonly scopeNo: number;
  readonly scopeId: string;
  readonly linkPolicy: LinkPolicy;
}

const EXECUTION = `e.no, e.id, e.lease_expires_at AS leaseExpiresAt, e.end_reason AS endReason, a.no AS agentNo,
  a.id AS agentId, a.execution_no AS newestNo, s.no AS scopeNo, s.id AS scopeId, s.link_policy AS linkPolicy`;

async function findExecution(ctx: Context, tokenHash: string): Promise<ExecutionRow | undefined> {
  const found = await ctx.tx.get<ExecutionRow>(
    `SELECT ${EXECUTION}, 0 AS superseded
       FROM executions e JOIN agents a ON a.no = e.agent_no JOIN scopes s ON s.no = a.scope_no
      WHERE e.token_hash = ?`,
    tokenHash,
  );
  if (found) return found;
  return ctx.tx.get<ExecutionRow>(
    `SELECT ${EXECUTION}, 1 AS superseded
       FROM connector_agents c JOIN agents a ON a.no = c.agent_no JOIN executions e ON e.no = a.execution_no
       JOIN scopes s ON s.no = a.scope_no WHERE c.former_token_hash = ?`,
    tokenHash,
  );
}

function isCurrent(execution: ExecutionRow): boolean {
  return execution.endReason === null && execution.superseded === 0;
}

async function requireAgent(ctx: Context, credentials: Credentials, expiredOk: boolean): Promise<AgentCaller> {
  if (credentials.tokenHash === undefined) throw unauthenticated("Invalid agent token", "missing");
  const execution = await findExecution(ctx, credentials.tokenHash);
  if (!execution) throw unauthenticated("Invalid agent token", "unknown");
  return checkExecution(ctx, execution, expiredOk);
}

function checkExecution(ctx: Context, execution: ExecutionRow, expiredOk: boolean): AgentCaller {
  const { endReason } = execution;
  if (execution.superseded) throw unauthenticated("The same session has connected once more", "replaced");
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
