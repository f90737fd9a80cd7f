import { type ContextItem, type Escalation, IntercomError, LIMITS, type ParsedInput } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { fromJson, optional, optionalInstant, page, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { sendNotice } from "./notices.ts";

/** A stored question with the id of whoever asked. */
export interface EscalationRow {
  readonly no: number;
  readonly id: string;
  readonly agentNo: number;
  readonly agentId: string;
  readonly kind: Escalation["kind"];
  readonly urgency: Escalation["urgency"];
  readonly question: string;
  readonly options: string;
  readonly context: string;
  readonly status: Escalation["status"];
  readonly answer: string | null;
  readonly resolvedBy: "human" | "rule" | null;
  readonly surface: "tray" | "window" | "cli" | "api" | null;
  readonly note: string | null;
  readonly late: number | null;
  readonly cancelReason: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly expiredAt: number | null;
  readonly cancelledAt: number | null;
  readonly resolvedAt: number | null;
}

const SELECT = `
  SELECT q.no, q.id, q.agent_no AS agentNo, a.id AS agentId, q.kind, q.urgency, q.question, q.options, q.context, q.status,
         q.answer, q.resolved_by AS resolvedBy, q.surface, q.note, q.late, q.cancel_reason AS cancelReason,
         q.created_at AS createdAt, q.expires_at AS expiresAt, q.expired_at AS expiredAt,
         q.cancelled_at AS cancelledAt, q.resolved_at AS resolvedAt
    FROM escalations q JOIN agents a ON a.no = q.agent_no`;

function toEscalation(row: EscalationRow, scope: Scope): Escalation {
  return {
    id: row.id,
    scopeId: scope.id,
    agentId: row.agentId,
    kind: row.kind,
    urgency: row.urgency,
    question: row.question,
    options: fromJson<string[]>(row.options),
    context: fromJson<ContextItem[]>(row.context),
    status: row.status,
    ...optional("answer", row.answer),
    ...optional("resolution", resolutionOf(row)),
    ...optional("cancelReason", row.cancelReason),
    createdAt: toInstant(row.createdAt),
    ...optionalInstant("expiresAt", row.expiresAt),
    ...optionalInstant("expiredAt", row.expiredAt),
    ...optionalInstant("cancelledAt", row.cancelledAt),
    ...optionalInstant("resolvedAt", row.resolvedAt),
  };
}

function resolutionOf(row: EscalationRow) {
  if (row.resolvedBy === null || row.surface === null || row.resolvedAt === null) return null;
  return {
    by: row.resolvedBy,
    surface: row.surface,
    at: toInstant(row.resolvedAt),
    ...optional("note", row.note),
    late: row.late === 1,
  };
}

async function escalationRow(ctx: Context, scope: Scope, id: string, agentNo?: number): Promise<EscalationRow> {
  const row = await ctx.tx.get<EscalationRow>(`${SELECT} WHERE q.scope_no = ? AND q.id = ?`, scope.no, id);
  if (!row || (agentNo !== undefined && row.agentNo !== agentNo)) {
    throw new IntercomError("NOT_FOUND", `Escalation ${id} does not exist`);
  }
  return row;
}

async function escalationById(ctx: Context, scope: Scope, id: string): Promise<Escalation> {
  return toEscalation(await escalationRow(ctx, scope, id), scope);
}

export async function askHuman(ctx: Context, caller: AgentCaller, input: ParsedInput<"askHuman">): Promise<Escalation> {
  await checkPending(ctx, caller);
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

async function checkPending(ctx: Context, caller: AgentCaller): Promise<void> {
  const count = await ctx.tx.get<{ ofAgent: number; ofScope: number }>(
    `SELECT (SELECT COUNT(*) FROM escalations WHERE agent_no = ? AND status = 'pending') AS ofAgent,
            (SELECT COUNT(*) FROM escalations WHERE scope_no = ? AND status = 'pending') AS ofScope`,
    caller.agentNo,
    caller.scope.no,
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
  return toEscalation(await escalationRow(ctx, caller.scope, input.escalationId, asker), caller.scope);
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
  const rows = await ctx.tx.all<EscalationRow>(`${SELECT} WHERE q.scope_no = ? ORDER BY q.id`, caller.scope.no);
  return rows.map((row) => toEscalation(row, caller.scope));
}

export async function listMyEscalations(ctx: Context, caller: AgentCaller, input: ParsedInput<"listMyEscalations">) {
  return escalationPage(ctx, caller.scope, input, caller.agentNo);
}

export async function listEscalationsPage(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listEscalationsPage">,
) {
  return escalationPage(ctx, caller.scope, input);
}

async function escalationPage(ctx: Context, scope: Scope, input: ParsedInput<"listEscalationsPage">, agentNo?: number) {
  const limit = input.limit ?? LIMITS.pageDefault;
  const byStatus = input.status === undefined ? "" : " AND q.status = ?";
  const byAgent = agentNo === undefined ? "" : " AND q.agent_no = ?";
  const rows = await ctx.tx.all<EscalationRow>(
    `${SELECT} WHERE q.scope_no = ?${byStatus}${byAgent} AND q.id > ? ORDER BY q.id LIMIT ?`,
    scope.no,
    ...(input.status === undefined ? [] : [input.status]),
    ...(agentNo === undefined ? [] : [agentNo]),
    input.after ?? "",
    limit + 1,
  );
  const { items, ...rest } = page(rows, limit, (row) => row.id);
  return { escalations: items.map((row) => toEscalation(row, scope)), ...rest };
}

/** The first answer wins. An answer to an expired question still counts, and says that it is late. */
export async function resolveEscalation(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"resolveEscalation">,
): Promise<Escalation> {
  const { scope } = caller;
  const row = await escalationRow(ctx, scope, input.escalationId);
  if (row.status === "resolved") {
    throw new IntercomError("CONFLICT", "The question has been answered already", {
      status: "resolved",
      answeredAt: toInstant(row.resolvedAt as number),
      surface: row.surface,
      by: row.resolvedBy,
    });
  }
  if (row.status === "cancelled") {
    throw new IntercomError("CONFLICT", "The agent has taken the question back", {
      status: "cancelled",
      cancelledAt: toInstant(row.cancelledAt as number),
    });
  }
  const late = row.status === "expired";
  const by = input.by ?? "human";
  const surface = input.surface ?? "api";
  await ctx.tx.run(
    `UPDATE escalations SET status = 'resolved', answer = ?, resolved_by = ?, surface = ?, note = ?, late = ?, resolved_at = ?
      WHERE no = ?`,
    input.answer,
    by,
    surface,
    input.note ?? null,
    late ? 1 : 0,
    ctx.now,
    row.no,
  );
  await recordEvent(ctx, scope.no, "escalation.resolved", row.id, {
    agentId: row.agentId,
    status: "resolved",
    by,
    surface,
    late,
  });
  ctx.wakes.add(channels.escalation(row.id));
  await sendNotice(ctx, scope, row.agentNo, {
    body: input.answer,
    about: { kind: "escalation", id: row.id, ...(late ? { late: true } : {}) },
    fromHuman: true,
  });
  return escalationById(ctx, scope, row.id);
}
