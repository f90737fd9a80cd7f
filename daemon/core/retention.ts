import type { RetentionCounts } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import type { PlannedKind, RetentionPlan, RetentionQuery } from "./retention-plan.ts";
import {
  A2A_TASK_ENDED,
  a2aUnit,
  ESCALATION_ENDED,
  LINK_REQUEST_ENDED,
  MESSAGE_ENDED,
  TASK_ENDED,
} from "./retention-rules.ts";

/**
 * Removes what a plan names, a little at a time. Each step looks once more whether a row may still go, since the world
 * goes on between plan and step.
 */

/** Says what is going to be removed, and moves the oldest event that can be asked for. Comes first: the newest event must stay. */
export async function beginRetention(
  ctx: Context,
  { scopeNo, before }: RetentionQuery,
  plan: Pick<RetentionPlan, "counts" | "eventFloor">,
): Promise<void> {
  const { messages, tasks, escalations, events } = plan.counts;
  const scope = await ctx.tx.get<{ id: string }>("SELECT id FROM scopes WHERE no = ?", scopeNo);
  await recordEvent(ctx, scopeNo, "scope.pruned", (scope as { id: string }).id, {
    before: toInstant(before),
    messages,
    tasks,
    escalations,
    events,
  });
  // Followers of all scopes go by sequence numbers: one that stands before this has a gap ahead.
  const newest = await ctx.tx.get<{ seq: number }>(
    "SELECT seq FROM events WHERE scope_no = ? AND revision <= ? ORDER BY revision DESC LIMIT 1",
    scopeNo,
    plan.eventFloor,
  );
  await ctx.tx.run(
    "UPDATE scopes SET event_floor = ?, pruned_seq = ? WHERE no = ? AND event_floor < ?",
    plan.eventFloor,
    newest?.seq ?? 0,
    scopeNo,
    plan.eventFloor,
  );
}

/** Part of the counts of the protocol. */
type Counts = Partial<RetentionCounts>;
type Removal = (ctx: Context, query: RetentionQuery, no: number) => Promise<Counts>;

const NOTHING: Counts = {};

const REMOVALS: Readonly<Record<PlannedKind, Removal>> = {
  messages: async (ctx, { scopeNo, before }, seq) => {
    const row = await ctx.tx.get<{ answerSeq: number | null }>(
      `SELECT a.seq AS answerSeq FROM messages m LEFT JOIN messages a ON a.id = m.response_message_id
        WHERE m.seq = ? AND m.scope_no = ? AND ${MESSAGE_ENDED}`,
      seq,
      scopeNo,
      before,
      before,
    );
    if (!row) return NOTHING;
    return { messages: await removeMessages(ctx, row.answerSeq === null ? [seq] : [seq, row.answerSeq]) };
  },
  a2aTasks: async (ctx, { scopeNo, before }, no) => {
    const unit = await a2aUnit(ctx, no, before);
    if (!unit.ended) return NOTHING;
    const a2aTasks = await ctx.tx.run(
      `DELETE FROM a2a_tasks WHERE no = ? AND scope_no = ? AND ${A2A_TASK_ENDED}`,
      no,
      scopeNo,
      before,
    );
    if (a2aTasks === 0) return NOTHING;
    return { a2aTasks, a2aMessages: unit.correlations, messages: await removeMessages(ctx, unit.seqs) };
  },
  tasks: async (ctx, { scopeNo, before }, no) => {
    const row = await ctx.tx.get<{ progress: number }>("SELECT progress_count AS progress FROM tasks WHERE no = ?", no);
    // Those that depend on it come earlier in a plan; one that is left stays, and all it depends on with it.
    const tasks = await ctx.tx.run(
      `DELETE FROM tasks WHERE no = ? AND scope_no = ? AND ${TASK_ENDED}
          AND NOT EXISTS (SELECT 1 FROM task_dependencies d WHERE d.dependency_no = tasks.no)`,
      no,
      scopeNo,
      before,
    );
    return { tasks, taskProgress: tasks * (row?.progress ?? 0) };
  },
  escalations: async (ctx, { scopeNo, before }, no) => ({
    escalations: await ctx.tx.run(
      `DELETE FROM escalations WHERE no = ? AND scope_no = ? AND ${ESCALATION_ENDED}`,
      no,
      scopeNo,
      before,
    ),
  }),
  linkRequests: async (ctx, { scopeNo, before }, no) => ({
    linkRequests: await ctx.tx.run(
      `DELETE FROM link_requests WHERE seq = ? AND scope_no = ? AND ${LINK_REQUEST_ENDED}`,
      no,
      scopeNo,
      before,
    ),
  }),
};

async function removeMessages(ctx: Context, seqs: readonly number[]): Promise<number> {
  let removed = 0;
  for (const seq of seqs) removed += await ctx.tx.run("DELETE FROM messages WHERE seq = ?", seq);
  return removed;
}

/** Removes rows of one kind, in the order of the plan. @returns what went */
export async function removeRows(
  ctx: Context,
  query: RetentionQuery,
  kind: PlannedKind,
  numbers: readonly number[],
): Promise<Counts> {
  const totals: Partial<Record<keyof RetentionCounts, number>> = {};
  for (const no of numbers) {
    for (const [name, count] of Object.entries(await REMOVALS[kind](ctx, query, no))) {
      const key = name as keyof RetentionCounts;
      totals[key] = (totals[key] ?? 0) + count;
    }
  }
  return totals;
}

/** Removes the events of a range of revisions, `from` excluded. Where a scope came from stays on record. */
export async function removeEvents(ctx: Context, scopeNo: number, from: number, to: number): Promise<number> {
  return ctx.tx.run(
    "DELETE FROM events WHERE scope_no = ? AND revision > ? AND revision <= ? AND type <> 'scope.imported'",
    scopeNo,
    from,
    to,
  );
}
