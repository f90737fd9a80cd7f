import {
  IntercomError,
  type LinkPolicy,
  type ParsedInput,
  type ScopeCredential,
  type ScopeSummary,
} from "../../protocol/index.ts";
import type { AdminCaller, OwnerCaller } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { toInstant, tokenHash } from "./encoding.ts";
import { recordEvent, recordScopeDeletion } from "./events.ts";
import { endExecution, type OpenExecution } from "./executions.ts";

interface ScopeRow {
  readonly no: number;
  readonly id: string;
  readonly linkPolicy: LinkPolicy;
  readonly createdAt: number;
}

const COLUMNS = "no, id, link_policy AS linkPolicy, created_at AS createdAt";

function toSummary(row: ScopeRow): ScopeSummary {
  return { scopeId: row.id, createdAt: toInstant(row.createdAt), linkPolicy: row.linkPolicy };
}

export async function createScope(
  ctx: Context,
  _caller: AdminCaller,
  input: ParsedInput<"createScope">,
): Promise<ScopeCredential> {
  const scopeId = input.id ?? ctx.ids.next("scope");
  const linkPolicy = input.linkPolicy ?? "explicit";
  if (await ctx.tx.get("SELECT 1 AS found FROM scopes WHERE id = ?", scopeId)) {
    throw new IntercomError("CONFLICT", `Scope ${scopeId} exists already`);
  }
  const scopeToken = ctx.ids.token();
  const row = await ctx.tx.get<{ no: number }>(
    "INSERT INTO scopes (id, token_hash, link_policy, created_at) VALUES (?, ?, ?, ?) RETURNING no",
    scopeId,
    tokenHash(scopeToken),
    linkPolicy,
    ctx.now,
  );
  await recordEvent(ctx, (row as { no: number }).no, "scope.created", scopeId, { linkPolicy });
  return { scopeId, scopeToken };
}

export async function listScopes(ctx: Context): Promise<ScopeSummary[]> {
  return (await ctx.tx.all<ScopeRow>(`SELECT ${COLUMNS} FROM scopes ORDER BY id`)).map(toSummary);
}

export async function getScope(ctx: Context, caller: OwnerCaller): Promise<ScopeSummary> {
  const row = await ctx.tx.get<ScopeRow>(`SELECT ${COLUMNS} FROM scopes WHERE no = ?`, caller.scope.no);
  return toSummary(row as ScopeRow);
}

export async function updateScope(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"updateScope">,
): Promise<ScopeSummary> {
  if (input.linkPolicy !== caller.scope.linkPolicy) {
    ctx.wakes.add(channels.authority);
    await ctx.tx.run("UPDATE scopes SET link_policy = ? WHERE no = ?", input.linkPolicy, caller.scope.no);
    await recordEvent(ctx, caller.scope.no, "scope.policy_changed", caller.scope.id, { linkPolicy: input.linkPolicy });
  }
  return getScope(ctx, caller);
}

/** Retires every execution, disables every credential and replaces the token in one step: whoever held one is out. */
export async function rotateScopeToken(
  ctx: Context,
  _caller: AdminCaller,
  input: ParsedInput<"rotateScopeToken">,
): Promise<ScopeCredential> {
  const scope = await ctx.tx.get<ScopeRow>(`SELECT ${COLUMNS} FROM scopes WHERE id = ?`, input.scopeId);
  if (!scope) throw new IntercomError("NOT_FOUND", `Scope ${input.scopeId} does not exist`);
  const open = await ctx.tx.all<OpenExecution>(
    `SELECT e.no, e.id, a.no AS agentNo, a.id AS agentId, a.scope_no AS scopeNo
       FROM agents a JOIN executions e ON e.no = a.execution_no
      WHERE a.scope_no = ? AND e.ended_at IS NULL`,
    scope.no,
  );
  for (const execution of open) await endExecution(ctx, execution, "rotated");
  const scopeToken = ctx.ids.token();
  ctx.wakes.add(channels.authority);
  await ctx.tx.run("UPDATE scopes SET token_hash = ? WHERE no = ?", tokenHash(scopeToken), scope.no);
  await ctx.tx.run(
    "UPDATE principals SET enabled = 0, updated_at = ? WHERE scope_no = ? AND enabled = 1",
    ctx.now,
    scope.no,
  );
  // Of use again once they are rotated: the configurations they are in stay as they are.
  await ctx.tx.run(
    "UPDATE connectors SET token_hash = NULL, updated_at = ? WHERE scope_no = ? AND token_hash IS NOT NULL",
    ctx.now,
    scope.no,
  );
  await wakeReaders(ctx, scope.no);
  await recordEvent(ctx, scope.no, "scope.credentials_rotated", scope.id, {
    executions: "retired",
    scopedCredentials: "disabled",
  });
  return { scopeId: scope.id, scopeToken };
}

export async function deleteScope(
  ctx: Context,
  _caller: AdminCaller,
  input: ParsedInput<"deleteScope">,
): Promise<{ deleted: boolean }> {
  if (input.confirmScopeId !== input.scopeId) {
    throw new IntercomError("INVALID_ARGUMENT", "confirmScopeId: expected the exact id of the scope to delete");
  }
  const scope = await ctx.tx.get<{ no: number }>("SELECT no FROM scopes WHERE id = ?", input.scopeId);
  if (!scope) return { deleted: false };
  await wakeWaiting(ctx, scope.no);
  // Recorded first: the newest sequence number must never be given out twice.
  await recordScopeDeletion(ctx, input.scopeId);
  await ctx.tx.run("DELETE FROM events WHERE scope_no = ?", scope.no);
  // Nothing refers to them, which spares every reservation an index; they are an hour's worth at most.
  await ctx.tx.run("DELETE FROM reservations WHERE agent_no IN (SELECT no FROM agents WHERE scope_no = ?)", scope.no);
  ctx.wakes.add(channels.authority);
  await ctx.tx.run("DELETE FROM scopes WHERE no = ?", scope.no);
  return { deleted: true };
}

/** Calls left waiting in the scope must learn that it is gone. */
async function wakeWaiting(ctx: Context, scopeNo: number): Promise<void> {
  const agents = await ctx.tx.all<{ no: number }>("SELECT no FROM agents WHERE scope_no = ?", scopeNo);
  for (const { no } of agents) ctx.wakes.add(channels.inbox(no));
  const questions = await ctx.tx.all<{ id: string }>(
    "SELECT id FROM escalations WHERE scope_no = ? AND status = 'pending'",
    scopeNo,
  );
  for (const { id } of questions) ctx.wakes.add(channels.escalation(id));
  await wakeReaders(ctx, scopeNo);
  ctx.wakes.add(channels.tasks(scopeNo));
  ctx.wakes.add(channels.scopeEvents(scopeNo));
}

/** Whoever reads a stream and waits must learn that its credential is no longer good. */
async function wakeReaders(ctx: Context, scopeNo: number): Promise<void> {
  const streams = await ctx.tx.all<{ id: string }>("SELECT id FROM output_streams WHERE scope_no = ?", scopeNo);
  for (const { id } of streams) ctx.wakes.add(channels.output(id));
}
