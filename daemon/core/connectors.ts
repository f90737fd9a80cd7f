import {
  type Connector,
  IntercomError,
  type IssuedConnector,
  LIMITS,
  type ParsedInput,
  type ToolSetName,
  toIdentifier,
} from "../../protocol/index.ts";
import type { OwnerCaller, Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { newCredential } from "./credentials.ts";
import { optionalInstant, toInstant, tokenHash } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import type { OpenExecution } from "./executions.ts";
import { leaseOf, takeOffline } from "./presence.ts";

/** Credentials with which clients of MCP become agents. What happens then is in `connect.ts`. */

interface ConnectorRow {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly agentName: string;
  readonly toolSet: ToolSetName;
  readonly leaseMs: number;
  readonly enabled: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastConnectedAt: number | null;
}

const SELECT_CONNECTORS = `
  SELECT no, id, name, agent_name AS agentName, tool_set AS toolSet, lease_ms AS leaseMs,
         CASE WHEN token_hash IS NULL THEN 0 ELSE 1 END AS enabled, created_at AS createdAt, updated_at AS updatedAt,
         last_connected_at AS lastConnectedAt FROM connectors`;

/** Executions `e` that connectors `k` run; append the condition. */
const SELECT_RUNNING = `
  SELECT k.no AS connectorNo, e.no, e.id, a.no AS agentNo, a.id AS agentId, a.scope_no AS scopeNo
    FROM connectors k JOIN connector_agents c ON c.connector_no = k.no JOIN agents a ON a.no = c.agent_no
    JOIN executions e ON e.no = a.execution_no`;

type Running = OpenExecution & { readonly connectorNo: number };

function toConnector(scope: Scope, row: ConnectorRow, running: readonly Running[]): Connector {
  return {
    id: row.id,
    scopeId: scope.id,
    name: row.name,
    agentName: row.agentName,
    toolSet: row.toolSet,
    leaseMs: row.leaseMs,
    enabled: row.enabled === 1,
    connectedAgents: running.filter(({ connectorNo }) => connectorNo === row.no).map(({ agentId }) => agentId),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
    ...optionalInstant("lastConnectedAt", row.lastConnectedAt),
  };
}

async function findRow(ctx: Context, scope: Scope, id: string): Promise<ConnectorRow | undefined> {
  return ctx.tx.get<ConnectorRow>(`${SELECT_CONNECTORS} WHERE id = ? AND scope_no = ?`, id, scope.no);
}

async function runningOf(ctx: Context, connectorNo: number): Promise<Running[]> {
  return ctx.tx.all<Running>(
    `${SELECT_RUNNING} WHERE k.no = ? AND e.ended_at IS NULL AND e.lease_expires_at > ? ORDER BY a.no`,
    connectorNo,
    ctx.now,
  );
}

export async function createConnector(
  ctx: Context,
  { scope }: OwnerCaller,
  input: ParsedInput<"createConnector">,
): Promise<IssuedConnector> {
  const { name, agentName = agentNameFrom(name), toolSet = "team" } = input;
  const same = await ctx.tx.get<{ id: string }>(
    "SELECT id FROM connectors WHERE scope_no = ? AND name = ?",
    scope.no,
    name,
  );
  if (same) throw new IntercomError("CONFLICT", `A connector called ${name} exists already`, { connectorId: same.id });
  await refuseTooMany(ctx, scope);
  const id = ctx.ids.next("connector");
  const credential = newCredential(ctx, id);
  await ctx.tx.run(
    `INSERT INTO connectors (id, scope_no, name, agent_name, tool_set, lease_ms, token_hash, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    scope.no,
    name,
    agentName,
    toolSet,
    leaseOf(input.leaseMs),
    tokenHash(credential),
    ctx.now,
    ctx.now,
  );
  await recordEvent(ctx, scope.no, "connector.created", id, { agentName, toolSet });
  return { connector: toConnector(scope, (await findRow(ctx, scope, id)) as ConnectorRow, []), credential };
}

/** A name may hold anything; an agent's id may not. */
function agentNameFrom(name: string): string {
  return toIdentifier(name, LIMITS.identifierLength) || "agent";
}

async function refuseTooMany(ctx: Context, scope: Scope): Promise<void> {
  const limit = LIMITS.connectorsPerScope;
  const count = await ctx.tx.get<{ n: number }>("SELECT COUNT(*) AS n FROM connectors WHERE scope_no = ?", scope.no);
  if ((count?.n ?? 0) >= limit) throw new IntercomError("BACKPRESSURE", `The scope has ${limit} connectors`, { limit });
}

export async function listConnectors(ctx: Context, { scope }: OwnerCaller): Promise<Connector[]> {
  const rows = await ctx.tx.all<ConnectorRow>(`${SELECT_CONNECTORS} WHERE scope_no = ? ORDER BY no`, scope.no);
  const running = await ctx.tx.all<Running>(
    `${SELECT_RUNNING} WHERE k.scope_no = ? AND e.ended_at IS NULL AND e.lease_expires_at > ? ORDER BY a.no`,
    scope.no,
    ctx.now,
  );
  return rows.map((row) => toConnector(scope, row, running));
}

export async function rotateConnector(
  ctx: Context,
  { scope }: OwnerCaller,
  { connectorId: id }: ParsedInput<"rotateConnector">,
): Promise<IssuedConnector> {
  const before = await findRow(ctx, scope, id);
  if (!before) throw new IntercomError("NOT_FOUND", `Connector ${id} does not exist`);
  const credential = newCredential(ctx, id);
  ctx.wakes.add(channels.authority);
  await ctx.tx.run(
    "UPDATE connectors SET token_hash = ?, updated_at = ? WHERE no = ?",
    tokenHash(credential),
    ctx.now,
    before.no,
  );
  const { agentName, toolSet } = before;
  await recordEvent(ctx, scope.no, "connector.rotated", id, { agentName, toolSet });
  const row = (await findRow(ctx, scope, id)) as ConnectorRow;
  return { connector: toConnector(scope, row, await runningOf(ctx, row.no)), credential };
}

export async function revokeConnector(
  ctx: Context,
  { scope }: OwnerCaller,
  { connectorId: id }: ParsedInput<"revokeConnector">,
): Promise<{ revoked: boolean }> {
  const row = await findRow(ctx, scope, id);
  if (!row) return { revoked: false };
  const running = await runningOf(ctx, row.no);
  for (const execution of running) await takeOffline(ctx, execution, "revoked");
  // Its agents stay, and belong to no connector from here on.
  ctx.wakes.add(channels.authority);
  await ctx.tx.run("DELETE FROM connectors WHERE no = ?", row.no);
  await recordEvent(ctx, scope.no, "connector.revoked", id, {
    agentName: row.agentName,
    executions: running.length,
  });
  return { revoked: true };
}
