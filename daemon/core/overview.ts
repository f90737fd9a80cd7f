import type { LinkPolicy, Overview, ScopeOverview } from "../../protocol/index.ts";
import type { Context } from "./context.ts";
import { toInstant } from "./encoding.ts";
import { eventSequenceBounds } from "./events.ts";
import { ACTIVE } from "./message-rows.ts";

type Counts = Omit<ScopeOverview, "scopeId" | "createdAt" | "linkPolicy">;

const COUNTS = `
  (SELECT COUNT(*) FROM agents a WHERE a.scope_no = s.no AND a.removed_at IS NULL) AS agents,
  (SELECT COUNT(*) FROM agents a JOIN executions e ON e.no = a.execution_no WHERE a.scope_no = s.no
      AND e.ended_at IS NULL AND e.lease_expires_at > ? AND a.lifecycle <> 'offline') AS reachableAgents,
  (SELECT COUNT(*) FROM agents a JOIN executions e ON e.no = a.execution_no WHERE a.scope_no = s.no
      AND e.ended_at IS NULL AND e.lease_expires_at > ? AND a.lifecycle <> 'offline' AND a.ready = 1) AS readyAgents,
  (SELECT COUNT(*) FROM tasks t WHERE t.scope_no = s.no AND t.status = 'open') AS openTasks,
  (SELECT COUNT(*) FROM tasks t WHERE t.scope_no = s.no AND t.status = 'claimed') AS claimedTasks,
  (SELECT COUNT(*) FROM escalations q WHERE q.scope_no = s.no AND q.status = 'pending') AS pendingEscalations,
  (SELECT COUNT(*) FROM link_requests l WHERE l.scope_no = s.no AND l.status = 'pending') AS pendingLinkRequests,
  (SELECT COUNT(*) FROM agents a JOIN messages m ON m.recipient_no = a.no AND m.state IN ('queued', 'reserved')
         AND m.${ACTIVE} AND m.sender_no <> -1 WHERE a.scope_no = s.no) AS undeliveredMessages,
  (SELECT COUNT(*) FROM messages m WHERE m.scope_no = s.no AND m.recipient_no = 0 AND m.state = 'delivered')
      AS unreadHumanMessages`;

const NOTHING: Counts = {
  agents: 0,
  reachableAgents: 0,
  readyAgents: 0,
  openTasks: 0,
  claimedTasks: 0,
  pendingEscalations: 0,
  pendingLinkRequests: 0,
  undeliveredMessages: 0,
  unreadHumanMessages: 0,
};

function add(total: Counts, counts: Counts): Counts {
  const keys = Object.keys(NOTHING) as (keyof Counts)[];
  return Object.fromEntries(keys.map((key) => [key, total[key] + counts[key]])) as unknown as Counts;
}

/** Everything the human's first glance needs, without storage sizes, which the core does not know. */
export async function overview(ctx: Context): Promise<Omit<Overview, "storage">> {
  const rows = await ctx.tx.all<Counts & { id: string; createdAt: number; linkPolicy: LinkPolicy }>(
    `SELECT s.id, s.created_at AS createdAt, s.link_policy AS linkPolicy, ${COUNTS} FROM scopes s ORDER BY s.id`,
    ctx.now,
    ctx.now,
  );
  const scopes = rows.map(({ id, createdAt, ...rest }) => ({ scopeId: id, createdAt: toInstant(createdAt), ...rest }));
  const { newest } = await eventSequenceBounds(ctx);
  return {
    generatedAt: toInstant(ctx.now),
    eventSequence: newest,
    totals: { scopes: scopes.length, ...scopes.reduce<Counts>(add, NOTHING) },
    scopes,
  };
}
