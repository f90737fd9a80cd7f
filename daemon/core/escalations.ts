import { type Escalation, IntercomError, LIMITS, type ParsedInput } from "../../protocol/index.ts";
import { answerTold } from "./answers-read.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { page } from "./encoding.ts";
import {
  type EscalationRow,
  escalationById,
  escalationRow,
  SELECT_ESCALATIONS,
  toEscalation,
} from "./escalation-rows.ts";
import { recordEvent } from "./events.ts";

export async function askHuman(ctx: Context, caller: AgentCaller, input: ParsedInput<"askHuman">): Promise<Escalation> {
  await checkPending(ctx, caller.scope.no, caller.agentNo);
  const id = ctx.ids.next("escalation");
  const options = input.options ?? [];
  const kind = input.kind ?? (options.length > 0 ? "choice" : "input");
  const urgency = input.urgency ?? "normal";
  const expiresAt = input.expiresInMs === undefined ? null : ctx.now + input.expiresInMs;
  await ctx.tx.run(
    `INSERT INTO escalations (id, scope_no, agent_no, kind, urgency, question, options, context, status, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)`,
    id,
    caller.scope.no,
    caller.agentNo,
    kind,
    urgency,
    input.question,
    JSON.stringify(options),
    JSON.stringify(input.context ?? []),
    ctx.now,
    expiresAt,
  );
  if (expiresAt !== null) ctx.deadline(expiresAt);
  await recordEvent(ctx, caller.scope.no, "escalation.created", id, {
    agentId: caller.agentId,
    status: "pending",
    kind,
    urgency,
  });
  return escalationById(ctx, caller.scope, id);
}

/** @throws {IntercomError} BACKPRESSURE when as many questions are pending as may be */
export async function checkPending(ctx: Context, scopeNo: number, agentNo: number): Promise<void> {
  const count = await ctx.tx.get<{ ofAgent: number; ofScope: number }>(
    `SELECT (SELECT COUNT(*) FROM escalations WHERE agent_no = ? AND status = 'pending') AS ofAgent,
            (SELECT COUNT(*) FROM escalations WHERE scope_no = ? AND status = 'pending') AS ofScope`,
    agentNo,
    scopeNo,
  );
  if ((count?.ofAgent ?? 0) >= LIMITS.pendingEscalationsPerAgent) {
    throw new IntercomError("BACKPRESSURE", `This agent has ${LIMITS.pendingEscalationsPerAgent} questions pending`);
  }
  if ((count?.ofScope ?? 0) >= LIMITS.pendingEscalationsPerScope) {
    throw new IntercomError("BACKPRESSURE", `The scope has ${LIMITS.pendingEscalationsPerScope} questions pending`);
  }
}

export async function getEscalation(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"getEscalation">,
): Promise<Escalation> {
  const asker = ctx.sharedQuestions ? undefined : caller.agentNo;
  const row = await escalationRow(ctx, caller.scope, input.escalationId, asker);
  return toEscalation(row.agentNo === caller.agentNo ? await answerTold(ctx, caller.scope, row) : row, caller.scope);
}

export async function getScopeEscalation(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"getScopeEscalation">,
): Promise<Escalation> {
  return escalationById(ctx, caller.scope, input.escalationId);
}

export async function cancelEscalation(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"cancelEscalation">,
): Promise<Escalation> {
  const row = await escalationRow(ctx, caller.scope, input.escalationId, caller.agentNo);
  if (row.status !== "pending") {
    throw new IntercomError("CONFLICT", `The question is ${row.status}`, { status: row.status });
  }
  await ctx.tx.run(
    "UPDATE escalations SET status = 'cancelled', cancel_reason = ?, cancelled_at = ? WHERE no = ?",
    input.reason ?? null,
    ctx.now,
    row.no,
  );
  await recordEvent(ctx, caller.scope.no, "escalation.cancelled", row.id, {
    agentId: row.agentId,
    status: "cancelled",
  });
  ctx.wakes.add(channels.escalation(row.id));
  return escalationById(ctx, caller.scope, row.id);
}

export async function listEscalations(ctx: Context, caller: OwnerCaller): Promise<Escalation[]> {
  const rows = await ctx.tx.all<EscalationRow>(
    `${SELECT_ESCALATIONS} WHERE q.scope_no = ? ORDER BY q.id`,
    caller.scope.no,
  );
  return rows.map((row) => toEscalation(row, caller.scope));
}

export async function listMyEscalations(ctx: Context, caller: AgentCaller, input: ParsedInput<"listMyEscalations">) {
  const { rows, ...rest } = await escalationPage(ctx, caller.scope, input, caller.agentNo);
  const escalations: Escalation[] = [];
  for (const row of rows) escalations.push(toEscalation(await answerTold(ctx, caller.scope, row), caller.scope));
  return { escalations, ...rest };
}

export async function listEscalationsPage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listEscalationsPage">,
) {
  const { rows, ...rest } = await escalationPage(ctx, caller.scope, input);
  return { escalations: rows.map((row) => toEscalation(row, caller.scope)), ...rest };
}

async function escalationPage(ctx: Context, scope: Scope, input: ParsedInput<"listEscalationsPage">, agentNo?: number) {
  const limit = input.limit ?? LIMITS.pageDefault;
  const byStatus = input.status === undefined ? "" : " AND q.status = ?";
  const byAgent = agentNo === undefined ? "" : " AND q.agent_no = ?";
  const rows = await ctx.tx.all<EscalationRow>(
    `${SELECT_ESCALATIONS} WHERE q.scope_no = ?${byStatus}${byAgent} AND q.id > ? ORDER BY q.id LIMIT ?`,
    scope.no,
    ...(input.status === undefined ? [] : [input.status]),
    ...(agentNo === undefined ? [] : [agentNo]),
    input.after ?? "",
    limit + 1,
  );
  const { items, ...rest } = page(rows, limit, (row) => row.id);
  return { rows: items, ...rest };
}
