import {
  type AgentMetadata,
  type Capability,
  type Connection,
  IntercomError,
  LIMITS,
  type ParsedInput,
  type Registration,
  type ToolSetName,
} from "../../protocol/index.ts";
import { updateProfile } from "./agents.ts";
import type { ConnectorCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { fromJson, toInstant, tokenHash } from "./encoding.ts";
import { wakeCallsOf } from "./executions.ts";
import {
  type AgentDescription,
  beginExecution,
  findAgent,
  findAgentOfSession,
  type KnownAgent,
} from "./registration.ts";

/** How whoever holds the secret of a connector becomes an agent. */

type Input = ParsedInput<"connect">;

interface Terms {
  readonly agentName: string;
  readonly toolSet: ToolSetName;
  readonly leaseMs: number;
}

export async function connect(ctx: Context, caller: ConnectorCaller, input: Input): Promise<Connection> {
  const { connectorNo, connectorId } = caller;
  const terms = (await ctx.tx.get<Terms>(
    "SELECT agent_name AS agentName, tool_set AS toolSet, lease_ms AS leaseMs FROM connectors WHERE no = ?",
    connectorNo,
  )) as Terms;
  const sessionHash = input.session === undefined ? undefined : tokenHash(input.session);
  const former = sessionHash === undefined ? undefined : await findAgentOfSession(ctx, connectorNo, sessionHash);
  const registration = former
    ? await goOn(ctx, caller, terms, former, input)
    : await beginAnew(ctx, caller, terms, sessionHash, input);
  await ctx.tx.run("UPDATE connectors SET last_connected_at = ? WHERE no = ?", ctx.now, connectorNo);
  return { ...registration, connectorId, toolSet: terms.toolSet, leaseMs: terms.leaseMs };
}

/** The session is back: in the execution it had, or in a new one of the same agent. */
async function goOn(
  ctx: Context,
  caller: ConnectorCaller,
  { leaseMs }: Terms,
  agent: KnownAgent,
  input: Input,
): Promise<Registration> {
  if (isRunning(ctx, agent)) return renew(ctx, caller, leaseMs, agent, input);
  const { scope, connectorId } = caller;
  const description: AgentDescription = {
    displayName: input.displayName ?? agent.displayName,
    capabilities: fromJson<Capability[]>(agent.capabilities),
    summary: agent.summary ?? undefined,
    metadata: input.metadata ?? (agent.metadata === null ? undefined : fromJson<AgentMetadata>(agent.metadata)),
    notices: agent.notices === 1,
  };
  const beginning = { scope, agentId: agent.id, known: agent, description, leaseMs, connectorId };
  return (await beginExecution(ctx, beginning)).registration;
}

/** Also of one that says it is offline: what it has claimed stays its own until it ends. */
function isRunning(ctx: Context, { endedAt, leaseExpiresAt }: KnownAgent): boolean {
  return endedAt === null && leaseExpiresAt > ctx.now;
}

/** Gives the execution another token: whatever it has claimed and reserved stays with it. */
async function renew(
  ctx: Context,
  { scope }: ConnectorCaller,
  leaseMs: number,
  agent: KnownAgent,
  input: Input,
): Promise<Registration> {
  const agentToken = ctx.ids.token();
  const leaseExpiresAt = ctx.now + leaseMs;
  await ctx.tx.run(
    `UPDATE connector_agents SET former_token_hash = (SELECT token_hash FROM executions WHERE no = ?)
      WHERE agent_no = ?`,
    agent.executionNo,
    agent.no,
  );
  await ctx.tx.run(
    "UPDATE executions SET token_hash = ?, lease_expires_at = ? WHERE no = ?",
    tokenHash(agentToken),
    leaseExpiresAt,
    agent.executionNo,
  );
  await ctx.tx.run("UPDATE agents SET updated_at = ?, last_seen_at = ? WHERE no = ?", ctx.now, ctx.now, agent.no);
  ctx.deadline(leaseExpiresAt);
  await wakeCallsOf(ctx, { agentNo: agent.no, scopeNo: scope.no });
  const execution = { agentNo: agent.no, agentId: agent.id, executionNo: agent.executionNo, leaseExpiresAt };
  const { displayName, metadata } = input;
  const self = { kind: "agent", scope, executionId: agent.executionId, ...execution } as const;
  await updateProfile(ctx, self, { displayName, metadata });
  return {
    scopeId: scope.id,
    agentId: agent.id,
    executionId: agent.executionId,
    agentToken,
    leaseExpiresAt: toInstant(leaseExpiresAt),
  };
}

/** The first name that is free, in order: so the next window finds what waits for `claude`. */
async function beginAnew(
  ctx: Context,
  caller: ConnectorCaller,
  { agentName, leaseMs }: Terms,
  sessionHash: string | undefined,
  input: Input,
): Promise<Registration> {
  const { scope, connectorNo, connectorId } = caller;
  const { agentId, known } = await freeName(ctx, caller, agentName);
  const { agentNo, registration } = await beginExecution(ctx, {
    scope,
    agentId,
    known,
    description: {
      displayName: input.displayName ?? agentId,
      capabilities: [],
      summary: undefined,
      metadata: input.metadata,
      notices: true,
    },
    leaseMs,
    connectorId,
  });
  await ctx.tx.run(
    `INSERT INTO connector_agents (agent_no, connector_no, session_hash) VALUES (?, ?, ?)
     ON CONFLICT (agent_no) DO UPDATE SET connector_no = excluded.connector_no, session_hash = excluded.session_hash`,
    agentNo,
    connectorNo,
    sessionHash ?? null,
  );
  return registration;
}

async function freeName(
  ctx: Context,
  { scope, connectorNo }: ConnectorCaller,
  agentName: string,
): Promise<{ readonly agentId: string; readonly known: KnownAgent | undefined }> {
  const limit = LIMITS.agentsPerConnector;
  for (let number = 1; number <= limit; number += 1) {
    const agentId = numbered(agentName, number);
    const known = await findAgent(ctx, scope.no, agentId);
    // Somebody else's agent is not ours to take, not even while it is away.
    const ours = known?.connected && (known.connectorNo === null || known.connectorNo === connectorNo);
    if (!known || (ours && !isRunning(ctx, known))) return { agentId, known };
  }
  throw new IntercomError("BACKPRESSURE", `All names from ${agentName} to ${numbered(agentName, limit)} are taken`, {
    limit,
  });
}

function numbered(name: string, number: number): string {
  if (number === 1) return name;
  const suffix = `-${number}`;
  return name.slice(0, LIMITS.identifierLength - suffix.length) + suffix;
}
