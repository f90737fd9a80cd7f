import type { AgentMetadata, Capability, Lifecycle, Registration } from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { toInstant, tokenHash } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { endExecution } from "./executions.ts";
import { cardChanged } from "./publication-rows.ts";

/** How an execution begins, whoever asks for it. */

/** What an agent says of itself. */
export interface AgentDescription {
  readonly displayName: string;
  readonly capabilities: readonly Capability[];
  readonly summary: string | undefined;
  readonly metadata: AgentMetadata | undefined;
  /** The daemon's notices go to its inbox. */
  readonly notices: boolean;
}

/** An agent that is there already, removed ones too, with its newest execution. */
export interface KnownAgent {
  readonly no: number;
  readonly id: string;
  readonly displayName: string;
  readonly capabilities: string;
  readonly summary: string | null;
  readonly metadata: string | null;
  readonly notices: number;
  readonly lifecycle: Lifecycle;
  readonly executionNo: number;
  readonly executionId: string;
  readonly leaseExpiresAt: number;
  readonly endedAt: number | null;
  /** Whether the agent has come from a connector, be that revoked by now. */
  readonly connected: number;
  /** The connector it has come from, unless that was revoked. */
  readonly connectorNo: number | null;
}

/** Agents `a` with their newest execution `e` and their connector `c`; append the condition. */
const SELECT_KNOWN = `
  SELECT a.no, a.id, a.display_name AS displayName, a.capabilities, a.summary, a.metadata, a.notices, a.lifecycle,
         e.no AS executionNo, e.id AS executionId, e.lease_expires_at AS leaseExpiresAt, e.ended_at AS endedAt,
         CASE WHEN c.agent_no IS NULL THEN 0 ELSE 1 END AS connected, c.connector_no AS connectorNo
    FROM agents a JOIN executions e ON e.no = a.execution_no LEFT JOIN connector_agents c ON c.agent_no = a.no`;

export function findAgent(ctx: Context, scopeNo: number, agentId: string): Promise<KnownAgent | undefined> {
  return ctx.tx.get<KnownAgent>(`${SELECT_KNOWN} WHERE a.scope_no = ? AND a.id = ?`, scopeNo, agentId);
}

/** The agent that a session of this connector was. */
export function findAgentOfSession(
  ctx: Context,
  connectorNo: number,
  sessionHash: string,
): Promise<KnownAgent | undefined> {
  return ctx.tx.get<KnownAgent>(
    `${SELECT_KNOWN} WHERE c.connector_no = ? AND c.session_hash = ?`,
    connectorNo,
    sessionHash,
  );
}

export interface Beginning {
  readonly scope: Scope;
  readonly agentId: string;
  /** What {@link findAgent} has found under this id. */
  readonly known: KnownAgent | undefined;
  readonly description: AgentDescription;
  readonly leaseMs: number;
  /** The connector by which it begins. */
  readonly connectorId?: string;
}

export interface Begun {
  readonly agentNo: number;
  readonly registration: Registration;
}

/** Makes the agent, or ends the execution it has and gives it its new description; then begins an execution of it. */
export async function beginExecution(ctx: Context, beginning: Beginning): Promise<Begun> {
  const { scope, agentId, connectorId } = beginning;
  const agentNo = await describeAgent(ctx, beginning);
  const executionId = ctx.ids.next("execution");
  const agentToken = ctx.ids.token();
  const leaseExpiresAt = ctx.now + beginning.leaseMs;
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
  await recordEvent(ctx, scope.no, "agent.registered", agentId, {
    executionId,
    lifecycle: "starting",
    ready: false,
    leaseExpiresAt: toInstant(leaseExpiresAt),
    connectorId,
  });
  const registration = {
    scopeId: scope.id,
    agentId,
    executionId,
    agentToken,
    leaseExpiresAt: toInstant(leaseExpiresAt),
  };
  return { agentNo, registration };
}

async function describeAgent(ctx: Context, { scope, agentId, known, description: given }: Beginning): Promise<number> {
  const description = [
    given.displayName,
    JSON.stringify(given.capabilities),
    given.summary ?? null,
    given.metadata === undefined ? null : JSON.stringify(given.metadata),
    given.notices ? 1 : 0,
    ctx.now,
    ctx.now,
    ctx.now,
  ] as const;
  if (!known) {
    const row = await ctx.tx.get<{ no: number }>(
      `INSERT INTO agents (scope_no, id, display_name, capabilities, summary, metadata, notices,
                           registered_at, updated_at, last_seen_at, lifecycle, ready)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'starting', 0) RETURNING no`,
      scope.no,
      agentId,
      ...description,
    );
    return (row as { no: number }).no;
  }
  await endExecution(
    ctx,
    { no: known.executionNo, id: known.executionId, agentNo: known.no, agentId, scopeNo: scope.no },
    "replaced",
  );
  await ctx.tx.run(
    `UPDATE agents SET display_name = ?, capabilities = ?, summary = ?, metadata = ?, notices = ?, registered_at = ?,
            updated_at = ?, last_seen_at = ?, lifecycle = 'starting', ready = 0, removed_at = NULL WHERE no = ?`,
    ...description,
    known.no,
  );
  const [displayName, capabilities] = description;
  if (displayName !== known.displayName || capabilities !== known.capabilities) await cardChanged(ctx, known.no);
  return known.no;
}
